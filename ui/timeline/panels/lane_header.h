// SPDX-License-Identifier: GPL-3.0-or-later
// The names of devices and lanes, at the left of the plot and aligned with its rows. A click on a device folds its
// lanes to the first one; a click on its numeral pins it to the top. With the focus, ↑ and ↓ choose a device, Space and
// T do the same to it, and every other key is the plot's.
#pragma once

#include "trace/analysis/statistics.h"
#include "ui/timeline/plot/timeline_plot.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace roundpipe::ui::timeline {

class LaneHeader : public QWidget {
    Q_OBJECT
public:
    LaneHeader(TimelinePlot& plot, const theme::ThemeManager& themes, QWidget* parent = nullptr);
    void setStatistics(const trace::RangeStatistics& statistics); // busy shares under the names
    void choose(int step); // takes the focus: the device so many below the one that was chosen, or the first on show

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override; // tooltips

private:
    const LaneGroup* chosen() const; // null: there are no lanes
    void fold(const LaneGroup& group);
    void pin(const LaneGroup& group);
    void say(); // what is chosen, to screen readers
    void scrollToChosen();
    void drawGroup(QPainter& painter, const LaneGroup& group) const;
    void drawNumeral(QPainter& painter, const LaneGroup& group, const QRect& line, const QFont& bold) const;
    QString busyText(DeviceId device) const;
    const LaneGroup* groupAt(int y) const;

    TimelinePlot& m_plot;
    const theme::ThemeManager& m_themes;
    std::vector<trace::DeviceStatistics> m_devices;
    std::optional<DeviceId> m_chosen; // by keys; the host's is -1
};

} // namespace roundpipe::ui::timeline
