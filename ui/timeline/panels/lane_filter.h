// SPDX-License-Identifier: GPL-3.0-or-later
// A button whose menu says which lanes are shown: kinds of lanes, and devices.
#pragma once

#include "ui/timeline/plot/timeline_plot.h"

#include <QToolButton>

class QMenu;

namespace roundpipe::ui::timeline {

class LaneFilter : public QToolButton {
    Q_OBJECT
public:
    explicit LaneFilter(TimelinePlot& plot, QWidget* parent = nullptr);

private:
    void fill();
    void showCount();
    void change(LaneChoice choice);

    TimelinePlot& m_plot;
    QMenu* m_menu;
};

} // namespace roundpipe::ui::timeline
