// One number that matters: a caption, and below it the value with what goes with it. The value is never cut off; what
// goes with it is where there is no room, and its tool tip has it in full.
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

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeRoom();

    QLabel* m_caption;
    QLabel* m_value;
    ElidedLabel* m_detail;
};

} // namespace roundpipe::ui::widgets
