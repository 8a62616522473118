#include "ui/timeline/painting/tip_place.h"

#include <algorithm>

namespace roundpipe::ui::timeline {
namespace {

constexpr int kFromMouse = 14, kBelowMouse = 28; // its picture hides nothing of the tip
constexpr int kAroundArrows = 3;                 // their heads

} // namespace

QPoint tipPlace(const QPoint& mouse, const QSize& tip, const QRect& lanes, const std::vector<QPainterPath>& arrows) {
    const int right = mouse.x() + kFromMouse, left = mouse.x() - kFromMouse - tip.width();
    const int below = mouse.y() + kBelowMouse, above = mouse.y() - kFromMouse - tip.height();
    for (const QPoint place : {QPoint(right, below), QPoint(left, below), QPoint(right, above), QPoint(left, above)}) {
        const QRectF around = QRectF(place, tip).adjusted(-kAroundArrows, -kAroundArrows, kAroundArrows, kAroundArrows);
        if (std::ranges::none_of(arrows, [&](const QPainterPath& arrow) { return arrow.intersects(around); }))
            return place;
    }
    return {right, lanes.bottom() + kFromMouse};
}

} // namespace roundpipe::ui::timeline
