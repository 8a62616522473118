// SPDX-License-Identifier: GPL-3.0-or-later
// Clipping by the global gradient norm, as torch.nn.utils.clip_grad_norm_ defines it; the sum is fp64, in layer order.
#pragma once

#include "base/dtype.h"
#include "base/thread_team.h"

#include <cstdint>

namespace roundpipe::optim {

// Sum of squares of `count` elements of fp64, fp32 or bf16. Parts of a fixed size are summed by the team and added in
// their order, so its size does not show.
double sumOfSquares(DType dtype, const void* values, int64_t count, ThreadTeam& team);

// What gradients of global norm `norm` are multiplied by: 1 where clipping is off (maxNorm 0) or the norm is small.
double clipCoefficient(double norm, double maxNorm);

} // namespace roundpipe::optim
