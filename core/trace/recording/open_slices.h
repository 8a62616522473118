// SPDX-License-Identifier: GPL-3.0-or-later
// What each lane is busy with just now: slices that have begun and are not known to have ended.
#pragma once

#include "trace/record.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace roundpipe::trace {

// Beginnings and ends come by ways of their own, each in its order, so that an end may come first.
class OpenSlices {
public:
    void begun(std::span<const Record> slices); // their ends mean nothing yet
    void ended(std::span<const Record> slices);
    std::vector<Record> all() const; // at most one of a lane, in the order of lanes

private:
    struct LaneNow {
        int64_t endedNs = std::numeric_limits<int64_t>::min(); // the latest start of what has ended
        std::optional<Record> open;
    };
    LaneNow& at(LaneId lane);

    std::vector<LaneNow> m_lanes;
};

} // namespace roundpipe::trace
