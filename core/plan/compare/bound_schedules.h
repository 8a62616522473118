// SPDX-License-Identifier: GPL-3.0-or-later
// The schedules of the literature that bind stages to devices: who does what in which order. Times are the
// simulation's.
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

enum class BoundSchedule : uint8_t { kGpipe, k1f1b, kInterleaved1f1b, kLoopedBfs };

// One stage's work on one microbatch: a forward, or a backward with the recompute before it.
struct BoundOperation {
    bool backward = false;
    int32_t stage = 0;
    int32_t microbatch = 0;
    DeviceId device; // stage mod devices
    // Positions of the operations whose results it needs; a backward needs its own forward and, but for the last stage,
    // the gradient of the next one.
    std::vector<int32_t> inputs;
};

// Each device's operations in the order in which it runs them, every one after its inputs. All schedules but
// interleaved and looped ones need one stage a device. Throws kInvalidInput when the stages do not fit the schedule.
std::vector<BoundOperation> boundOperations(BoundSchedule schedule, int32_t numStages, int32_t numDevices,
                                            int32_t numMicrobatches);

} // namespace roundpipe::plan
