// SPDX-License-Identifier: GPL-3.0-or-later
// A plan with all that is known of it before the start: its memory, and its step replayed on the rig.
#pragma once

#include "plan/cost/costs.h"
#include "plan/cost/memory_table.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/search/misfit.h"
#include "plan/simulate/dispatch_simulation.h"

#include <stop_token>
#include <vector>

namespace roundpipe::plan {

// What the engine that will run the plan can do; as it is, what core/pipeline does.
struct EngineAbilities {
    bool residency = true;         // keeps bases on a device between slots
    bool peerCopies = false;       // packets from device to device
    bool activationsFirst = false; // weights give way to activations
};

struct SearchOptions {
    EngineAbilities engine;
    // Work of the search, in microbatch-slots looked at: the same on every machine, unlike a time limit. The default
    // takes about 10 ms.
    int64_t effort = 1'500'000;
    std::stop_token stop = {}; // gives up: kCancelled is thrown soon after
};

// A plan with everything that is known of it before the start.
struct EvaluatedPlan {
    Plan plan;
    StepShape shape;
    Simulated step;
    std::vector<DeviceMemoryTable> deviceMemory; // [device]
    HostMemoryTable hostMemory;
    double fastestThinkable = 0; // no step can be shorter: all work divided by all devices, without recompute
    int64_t numEstimates = 0;
};

// With a part of the effort, for whoever wants to know about how fast something is.
bool isHasty(const SearchOptions& options);

// Evaluates a plan that is given (by hand, by a rival). Does not check whether it fits.
EvaluatedPlan evaluatePlan(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape,
                           const SearchOptions& options = {});

// By how much a choice exceeds memories; empty where it fits.
Misfit misfitOf(const EvaluatedPlan& choice, const Rig& rig);

// Evaluates the memory alone.
EvaluatedPlan memoryOf(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape);

// Microbatch-slots that evaluatePlan() replays at first.
int64_t slotsReplayed(const Plan& plan, const Costs& costs, const StepShape& shape, const SearchOptions& options);

// Seconds that a microbatch takes on a device which is never idle and computes nothing twice.
double secondsOfMicrobatch(const Costs& costs, std::size_t device);

} // namespace roundpipe::plan
