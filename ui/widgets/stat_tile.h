// One number that matters: a caption, and below it the value with what goes with it.
#pragma once

#include <QWidget>

class QLabel;

namespace roundpipe::ui::widgets {

class ElidedLabel;

class StatTile : public QWidget {
    Q_OBJECT
public:
    explicit StatTile(const QString& caption, QWidget* parent = nullptr);
    void set(const QString& value, const QString& detail = {});

private:
    QString m_caption;
    QLabel* m_value;
    ElidedLabel* m_detail;
};

} // namespace roundpipe::ui::widgets
