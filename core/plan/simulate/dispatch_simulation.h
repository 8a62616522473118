// SPDX-License-Identifier: GPL-3.0-or-later
// A plan's steps on a rig, as the engine runs them: weights of the next slot land while this one computes, packets go
// by way of the host, the next step's adapters wait for the update.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/simulate/simulated.h"
#include "plan/step_shape.h"

#include <cstdint>

namespace roundpipe::plan {

struct DispatchOptions {
    int32_t numSteps = 3;
    int32_t firstMeasured = 1;     // steps before it fill the pipeline
    int32_t mostReplayed = 20'000; // microbatch-slots of a step, each of some tasks (long_steps.h)
    bool activationsFirst = false; // else weights and activations share the link, as the engine's streams do
    bool usesPeers = false;        // packets take the rig's peer paths, where there are any
    bool keepsRecords = false;
    bool countsMemory = false;
};

// Throws kInvalidInput where plan, costs, rig and shape contradict each other.
Simulated simulateDispatch(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                           const DispatchOptions& options = {});
// The same for an evaluation of so many microbatches, alone and with its records. Of `options` only the links' count.
Simulated simulateEvaluation(const Plan& plan, const Costs& costs, const Rig& rig, int32_t numMicrobatches,
                             const DispatchOptions& options = {});

} // namespace roundpipe::plan
