// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses how a model is cut, what stays and who runs what: the fastest step that fits the memories.
#pragma once

#include "base/error.h"
#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/search/evaluated_plan.h"
#include "plan/search/misfit.h"

#include <span>
#include <vector>

namespace roundpipe::plan {

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

// The best plan of a rig's only device, and others that were found on the way: the best of each number of stages, and a
// few that take hardly longer. For whoever knows of more that a device must bear than its rig says. Throws as
// choosePlan.
struct ChosenAlone {
    EvaluatedPlan best;
    std::vector<EvaluatedPlan> others;
};
ChosenAlone chooseAlone(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options = {});

// Seconds of a step in that shape, by a glance: the best plan by estimates, and it alone replayed; infinite where none
// was found. For whoever has many ways to do a step and searches the best of them in full. Throws kCancelled.
double glance(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options = {});

} // namespace roundpipe::plan
