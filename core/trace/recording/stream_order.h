// SPDX-License-Identifier: GPL-3.0-or-later
// A stream runs in order, so its records do not overlap, whatever two readings of a clock say.
#pragma once

#include "trace/record.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace roundpipe::trace {

// The records of one stream, in their order. One thread.
class StreamOrder {
public:
    // Lets a record start no earlier than the one before ended, and end no earlier than it starts.
    void keep(Record& record) {
        record.startNs = std::max(record.startNs, m_endNs);
        record.endNs = std::max(record.endNs, record.startNs);
        m_endNs = record.endNs;
    }

    int64_t endNs() const { return m_endNs; } // of the latest one

private:
    int64_t m_endNs = std::numeric_limits<int64_t>::min();
};

} // namespace roundpipe::trace
