// A first estimate of what layers cost, from their shapes alone.
#pragma once

#include "arch/layers.h"
#include "base/dtype.h"
#include "plan/plan.h"

#include <vector>

namespace roundpipe::plan {

// Times in GFLOP per token of the matrix products, forward, recompute and backward with a frozen base (the input
// gradient only); bytes with the base stored as `operandType`.
std::vector<LayerCost> estimateCosts(const arch::ModelSpec& model, DType operandType);

} // namespace roundpipe::plan
