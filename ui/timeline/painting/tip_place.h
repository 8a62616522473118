// SPDX-License-Identifier: GPL-3.0-or-later
// Where a slice's tool tip stands: near the mouse, and over none of the arrows that a click has lit.
#pragma once

#include <QPainterPath>
#include <QPoint>
#include <QRect>

#include <vector>

namespace roundpipe::ui::timeline {

// The upper left corner for a tip of this size: beside the mouse, below it at the right if that is on the screen and
// free of arrows, else at the first other side that is; where none is, below the lanes, or above them where the screen
// ends. All in the coordinates of the plot.
QPoint tipPlace(const QPoint& mouse, const QSize& tip, const QRect& lanes, const QRect& screen,
                const std::vector<QPainterPath>& arrows);

} // namespace roundpipe::ui::timeline
