// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/painting/tip_place.h"

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kFromMouse = 14, kBelowMouse = 28; // its picture hides nothing of the tip
constexpr int kAroundArrows = 3;                 // their heads

} // namespace

QPoint tipPlace(const QPoint& mouse, const QSize& tip, const QRect& lanes, const QRect& screen,
                const std::vector<QPainterPath>& arrows) {
    const int right = mouse.x() + kFromMouse, left = mouse.x() - kFromMouse - tip.width();
    const int below = mouse.y() + kBelowMouse, above = mouse.y() - kFromMouse - tip.height();
    for (const QPoint place : {QPoint(right, below), QPoint(left, below), QPoint(right, above), QPoint(left, above)}) {
        const QRect taken(place, tip);
        const QRectF around = QRectF(taken).adjusted(-kAroundArrows, -kAroundArrows, kAroundArrows, kAroundArrows);
        const auto crosses = [&](const QPainterPath& arrow) { return arrow.intersects(around); };
        if (screen.contains(taken) && std::ranges::none_of(arrows, crosses)) return place;
    }
    const QPoint under(right, lanes.bottom() + kFromMouse);
    return screen.contains(QRect(under, tip)) ? under : QPoint(right, lanes.top() - kFromMouse - tip.height());
}

} // namespace roundpipe::ui::timeline
