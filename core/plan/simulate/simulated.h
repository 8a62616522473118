// SPDX-License-Identifier: GPL-3.0-or-later
// What a replay says of a step.
#pragma once

#include "plan/simulate/stream_simulation.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roundpipe::plan {

// Means over the measured steps.
struct Simulated {
    double stepSeconds = 0;
    double bubbleShare = 0;             // of all devices' time: nothing to compute
    std::vector<double> busySeconds;    // [device], a step
    std::vector<int64_t> bytesUp;       // [device], a step
    std::vector<int64_t> bytesDown;     // [device], a step
    std::vector<int64_t> peakBytes;     // [device], counted by what is alive at a time; with countsMemory
    std::vector<trace::Record> records; // of all steps, on the lanes of trace::makeLanes; with keepsRecords
};

// Of `numSteps` steps of `stepSeconds`, whose tasks are those from `firstTask` on.
Simulated summedUp(const StreamSimulation& simulation, int32_t firstTask, double numSteps, double stepSeconds);

// Those that compute less than a hundredth of a step: looking up embeddings is no work.
std::vector<std::size_t> idleDevices(const Simulated& step);

// The device whose link would take longest for what it carries up a step, at its full rate.
struct BusiestLink {
    std::size_t device = 0;
    double seconds = 0;
};
BusiestLink busiestLink(const Simulated& step, const Rig& rig);

} // namespace roundpipe::plan
