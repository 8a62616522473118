// SPDX-License-Identifier: GPL-3.0-or-later
// What a GPU says of itself at one moment.
#pragma once

#include <cstdint>
#include <optional>

namespace roundpipe {

// Nothing where the driver does not say.
struct GpuReading {
    std::optional<int64_t> usedBytes; // of its memory, by all programs; without what the driver keeps for itself
    std::optional<int64_t> temperatureCelsius;
    std::optional<double> powerWatts;
    std::optional<double> powerLimitWatts;
    std::optional<int64_t> computeClockMHz;
    std::optional<int64_t> memoryClockMHz;
    std::optional<double> utilisation;     // 0..1: share of the last moments in which any kernel ran
    std::optional<int64_t> pcieGeneration; // now; a GPU at rest slows its link down
    std::optional<int64_t> pcieLanes;
};

} // namespace roundpipe
