// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of an optimizer step: what a rate in FLOP/s is made of.
#pragma once

#include "plan/cost/training_shape.h"
#include "plan/plan.h"

namespace roundpipe::plan {

// Floating point operations of products and attention; elementwise passes count none.
struct StepFlops {
    double needed = 0; // one forward, and the backward that the trained parameters need
    double done = 0;   // with what the plan's stages compute again
};

// Of `microbatches` usual ones.
StepFlops stepFlops(const arch::ModelSpec& model, const TrainingShape& shape, const Plan& plan, double microbatches);

} // namespace roundpipe::plan
