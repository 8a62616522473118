// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds how much of a device's memory from which task to which: the replay's own count, beside the planner's sum.
#pragma once

#include "base/ids.h"
#include "plan/simulate/stream_simulation.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

class MemoryLedger {
public:
    explicit MemoryLedger(int32_t numDevices) : m_holdings(static_cast<std::size_t>(numDevices)) {}

    // From the start of task `from` to the end of task `until`.
    void hold(DeviceId device, int32_t from, int32_t until, int64_t bytes) {
        if (bytes > 0) m_holdings[device.index()].push_back({from, until, bytes});
    }
    std::vector<int64_t> peaks(const StreamSimulation& simulation) const; // [device], after the simulation has run

private:
    struct Holding {
        int32_t from;
        int32_t until;
        int64_t bytes;
    };
    std::vector<std::vector<Holding>> m_holdings; // [device]
};

} // namespace roundpipe::plan
