// SPDX-License-Identifier: GPL-3.0-or-later
// A zoom on its way from one view to another. No Qt.
#pragma once

#include "ui/timeline/geometry/viewport.h"

namespace roundpipe::ui::timeline {

struct Glide {
    Viewport from;
    Viewport to;
    // After `share` of its time, from 0 to 1: fast at first. Spans grow by equal factors, and the begin goes with them
    // in a straight line, so that what keeps its place does so all the way.
    Viewport at(double share) const;
};

} // namespace roundpipe::ui::timeline
