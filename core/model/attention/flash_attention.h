// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch's flash attention (Dao, "FlashAttention-2", 2023) over sequences laid end to end. Its results come from
// LibTorch's caching allocator and are copied to where they belong. Internal to the folder; geometry/attention.h says
// when it is used.
#pragma once

#include "model/compute/compute.h"

namespace roundpipe::model {

// logSumExp [H, T] fp32 as in our kernels; `byToken`: [T, H] as in cuDNN's.
void flashForward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts, const Matrix& q,
                  const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp);
void flashBackward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts, const Matrix& q,
                   const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                   const Matrix& dq, const Matrix& dk, const Matrix& dv, bool byToken = false);

} // namespace roundpipe::model
