// The timeline's legend: which colour means which kind of work. In as many lines as it takes.
#pragma once

#include "ui/theme/theme_manager.h"

#include <QWidget>

#include <vector>

namespace roundpipe::ui::timeline {

class KindLegend : public QWidget {
    Q_OBJECT
public:
    explicit KindLegend(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    int numLines() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        QBrush brush;
        QString name;
        QPoint at; // its upper left corner
    };
    std::vector<Entry> entries() const;
    QFont smallFont() const;
    void takeHeight();

    const theme::ThemeManager& m_themes;
};

} // namespace roundpipe::ui::timeline
