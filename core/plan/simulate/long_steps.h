// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of any number of microbatches, in bounded time and memory: a replay holds tasks for each microbatch and stage.
#pragma once

#include "plan/simulate/dispatch_simulation.h"

namespace roundpipe::plan {

// The step itself, or, where it has more microbatches than options.mostReplayed allows, one with fewer rounds, or a
// smaller one.
StepShape replayedPart(const StepShape& shape, const Plan& plan, const DispatchOptions& options = {});
bool isReplayedWhole(const StepShape& shape, const Plan& plan, const DispatchOptions& options = {});

// As simulateDispatch. What is beyond the part that is replayed goes on as the second half of that does; records are
// of that part alone.
Simulated simulateStep(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                       const DispatchOptions& options = {});

} // namespace roundpipe::plan
