// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a step fits a rig at all, by memory alone: without a search for speed, in milliseconds.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/step_shape.h"

namespace roundpipe::plan {

// Whether what a plan takes is there.
bool fits(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape);
bool hostHolds(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape);

// No plan fits, whatever its cuts and devices: a layer is too large for every device though it be alone there, or the
// host cannot even hold what the fewest stages pass on. False where only a search can tell.
bool fitsNowhere(const Rig& rig, const Costs& costs, const StepShape& shape);

// The host holds the packets of any plan of stages that go round, so that none is left out for them: stages of a layer
// pass on the most.
bool hostHoldsAnyCuts(const Rig& rig, const Costs& costs, const StepShape& shape);

// Stages of equally many layers, of which the inputs alone are saved, in turn on the devices with most room. One layer
// at a time takes the least of devices, and the most of the host, for its packets: where that alone is in the way,
// larger stages, as few as the devices take. No fast plan, and it may not fit: what is said to be too large is then of
// it.
Plan planOfLeastMemory(const Rig& rig, const Costs& costs, const StepShape& shape);

} // namespace roundpipe::plan
