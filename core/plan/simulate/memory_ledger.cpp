// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/memory_ledger.h"

#include <algorithm>
#include <utility>

namespace roundpipe::plan {

std::vector<int64_t> MemoryLedger::peaks(const StreamSimulation& simulation) const {
    std::vector<int64_t> peaks;
    for (const std::vector<Holding>& holdings : m_holdings) {
        std::vector<std::pair<double, int64_t>> changes; // what is given back at a time comes before what is taken
        for (const Holding& h : holdings) {
            changes.emplace_back(simulation.startOf(h.from), h.bytes);
            changes.emplace_back(simulation.endOf(h.until), -h.bytes);
        }
        std::ranges::sort(changes);
        int64_t held = 0;
        int64_t peak = 0;
        for (const auto& [time, bytes] : changes)
            peak = std::max(peak, held += bytes);
        peaks.push_back(peak);
    }
    return peaks;
}

} // namespace roundpipe::plan
