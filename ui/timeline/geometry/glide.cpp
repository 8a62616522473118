// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/glide.h"

#include <cmath>

namespace roundpipe::ui::timeline {

Viewport Glide::at(double share) const {
    const double eased = 1 - std::pow(1 - share, 3);
    const auto fromSpan = static_cast<double>(from.spanNs());
    const auto toSpan = static_cast<double>(to.spanNs());
    const double span = fromSpan * std::pow(toSpan / fromSpan, eased);
    const double moved = from.spanNs() == to.spanNs() ? eased : (span - fromSpan) / (toSpan - fromSpan);
    const int64_t beginNs = from.beginNs() + std::llround(moved * static_cast<double>(to.beginNs() - from.beginNs()));
    Viewport view = to;
    view.show(beginNs, beginNs + std::llround(span));
    return view;
}

} // namespace roundpipe::ui::timeline
