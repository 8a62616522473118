// A plan's steps on a rig, as the engine runs them: weights of the next slot land while this one computes, packets go
// by way of the host, the next step's adapters wait for the update.
#pragma once

#include "plan/cost/costs.h"
#include "plan/program.h"
#include "plan/rig/rig.h"
#include "trace/record.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

struct DispatchOptions {
    int32_t numSteps = 3;
    int32_t firstMeasured = 1;     // steps before it fill the pipeline
    bool activationsFirst = false; // else weights and activations share the link, as the engine's streams do
    bool usesPeers = false;        // packets take the rig's peer paths, where there are any
    bool keepsRecords = false;
    bool countsMemory = false;
};

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

// Throws kInvalidInput where plan, costs, rig and shape contradict each other.
Simulated simulateDispatch(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                           const DispatchOptions& options = {});

} // namespace roundpipe::plan
