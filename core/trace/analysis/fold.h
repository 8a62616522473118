// SPDX-License-Identifier: GPL-3.0-or-later
// A lane as columns of pixels: what the timeline draws when slices are narrower than a pixel.
#pragma once

#include "trace/store/lane_store.h"

namespace roundpipe::trace {

// Summaries of `out.size()` equal columns of [beginNs, endNs): slices narrower than a column are folded, the longest
// gives the kind. Taken from the pyramid, or slice by slice where columns are finer than its buckets. False: slices are
// being fetched from a disk, and what the pyramid knows stands in their place; ask again.
bool foldLane(const LaneStore& store, LaneId lane, int64_t beginNs, int64_t endNs, std::span<Summary> out);

// The most that was in use in each of such columns, of a counter's lane: what is in use holds until the next record.
bool foldCounter(const LaneStore& store, LaneId lane, int64_t beginNs, int64_t endNs, std::span<int64_t> out);

} // namespace roundpipe::trace
