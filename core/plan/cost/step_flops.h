// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of an optimizer step: what a rate in FLOP/s is made of.
#pragma once

#include "plan/cost/training_shape.h"
#include "plan/plan.h"

namespace roundpipe::plan {

// Floating point operations as systems are compared by: those of the model's products and its attention. Adapters'
// products and elementwise passes count none, an attention's backward twice its forward, whatever a kernel computes.
struct StepFlops {
    double needed = 0; // 4 for each weight of a product and token where adapters are trained, 6 where weights are, and
                       // three times attention's forward
    double done = 0;   // with what the plan's stages compute again
};

// Of `microbatches` usual ones.
StepFlops stepFlops(const arch::ModelSpec& model, const TrainingShape& shape, const Plan& plan, double microbatches);

} // namespace roundpipe::plan
