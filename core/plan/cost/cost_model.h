// SPDX-License-Identifier: GPL-3.0-or-later
// What a model costs on a rig, estimated from shapes: the numbers that the planner and the simulator work with until
// something was measured. README.md, "Costs and memory", has the formulas.
#pragma once

#include "plan/cost/costs.h"
#include "plan/cost/training_shape.h"
#include "plan/rig/rig.h"

namespace roundpipe::plan {

// Throws kInvalidInput naming what is absurd in the shape, and where LoRA's targets match nothing.
Costs modelCosts(const arch::ModelSpec& model, const TrainingShape& shape, const Rig& rig);

} // namespace roundpipe::plan
