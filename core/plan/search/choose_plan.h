// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses how a model is cut, what stays and who runs what: the fastest step that fits the memories.
#pragma once

#include "base/error.h"
#include "plan/cost/costs.h"
#include "plan/cost/memory_table.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/search/misfit.h"
#include "plan/simulate/dispatch_simulation.h"

#include <span>
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

// Nothing fits, of kOutOfMemory.
class DoesNotFit : public Error {
public:
    DoesNotFit(Misfit misfit, Plan smallest);
    const Misfit& misfit() const { return m_misfit; }
    const Plan& smallest() const { return m_smallest; } // that takes the least memory: what the misfit is of

private:
    Misfit m_misfit;
    Plan m_smallest;
};

// The best of all shapes: the caller fixes what an optimizer step holds, the planner may choose among ways to group it.
// Throws kInvalidInput where rig and costs contradict each other, DoesNotFit where nothing fits (fixes.h says what
// would help), kCancelled.
EvaluatedPlan choosePlan(const Rig& rig, const Costs& costs, std::span<const StepShape> shapes,
                         const SearchOptions& options = {});

// Seconds of a step in that shape, by a glance: the best plan by estimates, and it alone replayed; infinite where none
// was found. For whoever has many ways to do a step and searches the best of them in full. Throws kCancelled.
double glance(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options = {});

// All ways to put a step's microbatches into equal rounds, the largest rounds first. With as many rounds as devices a
// plan of one stage is data parallelism.
std::vector<StepShape> groupings(int32_t numMicrobatches, bool oneStepStale);

// Ways to put a step of `usual` microbatches, and now and then up to `most`, into rounds, the largest rounds first: in
// one, one and a quarter and so on by quarters up to four, then one more each time up to eight, then a quarter more;
// the last round is not full now and then. Rounds are of 256 microbatches at most. Where devices differ, in one but for
// the last microbatch, or a few, too: a fast device, which has time left in a round of whole stages, takes those alone.
std::vector<StepShape> looseGroupings(int32_t most, int32_t usual, bool oneStepStale, bool devicesDiffer);

// Evaluates a plan that is given (by hand, by a rival). Does not check whether it fits.
EvaluatedPlan evaluatePlan(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape,
                           const SearchOptions& options = {});

// By how much a choice exceeds memories; empty where it fits.
Misfit misfitOf(const EvaluatedPlan& choice, const Rig& rig);

} // namespace roundpipe::plan
