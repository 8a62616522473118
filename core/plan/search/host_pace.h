// SPDX-License-Identifier: GPL-3.0-or-later
// What the host does for a step with its gradients, where devices do not wait for it.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/step_shape.h"

namespace roundpipe::plan {

// Seconds beside each step whose update is one step stale, of norm, sums and updates: no such step is shorter in the
// long run, however many devices there are. 0 where updates are synchronous: the replay has them between steps.
double secondsBesideStep(const Plan& plan, const Costs& costs, const StepShape& shape);

} // namespace roundpipe::plan
