// SPDX-License-Identifier: GPL-3.0-or-later
// What a run and its machine use just now: memory, links, and what the GPUs say of themselves.
#pragma once

#include "base/gpu_reading.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::session {

// Over the last second.
struct LinkRates {
    double upBytesPerSecond = 0; // host to device
    double downBytesPerSecond = 0;
};

struct DeviceStatus {
    int64_t usedBytes = 0;  // that the run holds of the device's memory
    int64_t peakBytes = 0;  // the most that was seen so far
    int64_t totalBytes = 0; // that the device has; of the host for a CPU worker
    LinkRates link;
    std::optional<GpuReading> gpu; // nothing for a CPU worker, and where there is no management library
};

struct HostStatus {
    int64_t processBytes = 0;   // of physical memory, by this process
    int64_t pinnedBytes = 0;    // page-locked for GPUs, a part of it
    int64_t availableBytes = 0; // that programs may still take, within the limit of a container
    int64_t totalBytes = 0;     // of the machine
};

// Looked at once a second while a run is under way.
struct MachineStatus {
    std::vector<DeviceStatus> devices; // in the order of RunPlan; empty until they are open
    HostStatus host;
};

} // namespace roundpipe::session
