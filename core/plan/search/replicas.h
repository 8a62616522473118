// SPDX-License-Identifier: GPL-3.0-or-later
// Data parallelism as a plan: each device takes its part of a step's microbatches, and does alone with them what a
// single device would.
#pragma once

#include "plan/search/choose_plan.h"

namespace roundpipe::plan {

// The stages of `plan` on every device of the rig, each for its part of a step, with what stays there.
Plan withReplicas(Plan plan, const Rig& rig, const Costs& costs, const StepShape& shape, const EngineAbilities& engine);

// The best stages for the device of the least memory with its part, on every device: if it were alone, or with its
// share of what all of them copy over at once, whichever is faster once all do. Does not check whether that fits them
// all and the host. Throws DoesNotFit where nothing fits that device, kCancelled.
EvaluatedPlan chooseReplicas(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options);

} // namespace roundpipe::plan
