// SPDX-License-Identifier: GPL-3.0-or-later
// A stretch of a trace.
#pragma once

#include <cstdint>

namespace roundpipe::ui::timeline {

struct TimeRange {
    int64_t beginNs = 0;
    int64_t endNs = 0;
    bool contains(int64_t timeNs) const { return beginNs <= timeNs && timeNs <= endNs; }
};

} // namespace roundpipe::ui::timeline
