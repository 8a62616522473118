// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the accesses of a run are ordered by what it waits for, whatever the timing: two of the same memory, one of
// them a write, of which neither comes before the other. "Before" is Lamport's: on a line in its order, from an event
// to who waits for it, from a host thread to what it issues (L. Lamport, Time, clocks, and the ordering of events in a
// distributed system, 1978), kept in vector clocks. Waits on which nothing may rest (RestsOn::kNothing) count for
// nothing.
#pragma once

#include "device/order/order_log.h"

#include <optional>
#include <string>
#include <vector>

namespace roundpipe::device {

// Two accesses in words, in the order of issue: "device 0, compute writes gradients (96 bytes), fused in step 3, …". Or
// a moment, and who went on before it had come.
struct Race {
    std::string first;
    std::string second;
    bool operator==(const Race&) const = default;
};

// At most so many; neighbours in the same words are one. `leftOut`: as if nobody waited for that, so what rests on it
// must show; else what the log's run left out. The first finds what the second does: what is issued, and on which
// memory, is the program's, and waits only decide when.
std::vector<Race> racesIn(const OrderLog& log, std::optional<Awaited> leftOut = {}, std::size_t most = 8);

} // namespace roundpipe::device
