// Numbers of the selected range, or of what is on show: busy time of each device, and each kind of work.
#pragma once

#include "trace/statistics.h"
#include "ui/theme/theme_manager.h"

#include <QWidget>

namespace roundpipe::ui::timeline {

class RangePanel : public QWidget {
    Q_OBJECT
public:
    explicit RangePanel(const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void set(trace::RangeStatistics statistics, bool selected);
    const trace::RangeStatistics& statistics() const { return m_statistics; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int drawDevices(QPainter& painter, int y) const;
    void drawKinds(QPainter& painter, int y) const;

    const theme::ThemeManager& m_themes;
    trace::RangeStatistics m_statistics;
    bool m_selected = false;
};

} // namespace roundpipe::ui::timeline
