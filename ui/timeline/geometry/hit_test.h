// SPDX-License-Identifier: GPL-3.0-or-later
// Which slice is meant by a point on a lane.
#pragma once

#include "trace/store/lane_store.h"

#include <cstddef>
#include <optional>

namespace roundpipe::ui::timeline {

struct Hit {
    std::size_t slice = 0;     // index in the lane's list
    std::size_t numSlices = 1; // that share the pixels around the point; the hit is the longest of them
};

// `toleranceNs`: how far beside a slice still counts, about two pixels. Among slices that cover the point itself the
// shortest wins (it lies on top); else the longest nearby.
std::optional<Hit> sliceAt(const trace::SliceList& slices, int64_t timeNs, int64_t toleranceNs);

} // namespace roundpipe::ui::timeline
