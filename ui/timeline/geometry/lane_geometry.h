// SPDX-License-Identifier: GPL-3.0-or-later
// What to draw of one lane: bars while slices are wide enough to be told apart, else one colour per column of pixels.
#pragma once

#include "trace/analysis/fold.h"
#include "ui/timeline/geometry/viewport.h"

#include <vector>

namespace roundpipe::ui::timeline {

struct LaneBar {
    int left = 0;
    int right = 0; // exclusive, at least left + 1; both clipped to just outside the view
    trace::Kind kind = trace::Kind::kForward;
    std::size_t slice = 0; // index in the lane's list
};

struct LaneGeometry {
    bool folded = false;
    bool complete = true; // false: slices are being fetched from a disk, and the picture is coarse until they are here
    std::vector<LaneBar> bars;           // if not folded: in the order of starts, parents before what they contain
    std::vector<trace::Summary> columns; // if folded: one per column
};

// `numColumns`: physical pixels across the view, for folded lanes. Buffers in `geometry` are reused.
void buildLaneGeometry(const trace::LaneStore& store, LaneId lane, const Viewport& view, int numColumns,
                       LaneGeometry& geometry);

} // namespace roundpipe::ui::timeline
