// SPDX-License-Identifier: GPL-3.0-or-later
// The names of devices and lanes, at the left of the plot and aligned with its rows. A click on a device folds its
// lanes to the first one; a click on its numeral pins it to the top.
#pragma once

#include "trace/analysis/statistics.h"
#include "ui/timeline/plot/timeline_plot.h"

#include <QWidget>

namespace roundpipe::ui::timeline {

class LaneHeader : public QWidget {
    Q_OBJECT
public:
    LaneHeader(TimelinePlot& plot, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setStatistics(const trace::RangeStatistics& statistics); // busy shares under the names

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override; // tooltips

private:
    void drawGroup(QPainter& painter, const LaneGroup& group) const;
    void drawNumeral(QPainter& painter, const LaneGroup& group, const QRect& line, const QFont& bold) const;
    QString busyText(DeviceId device) const;
    const LaneGroup* groupAt(int y) const;

    TimelinePlot& m_plot;
    const theme::ThemeManager& m_themes;
    std::vector<trace::DeviceStatistics> m_devices;
};

} // namespace roundpipe::ui::timeline
