// SPDX-License-Identifier: GPL-3.0-or-later
// Causal attention of a block, by whom geometry/attention_backend.h says: our kernels, or for 16-bit types on CUDA a
// library. Internal to the folder.
#pragma once

#include "model/compute/compute.h"

namespace roundpipe::model {

// `sinks` [H]: of kernels::addSinks(), or null.
void attentionForward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts,
                      const Matrix& q, const Matrix& k, const Matrix& v, const void* sinks, const Matrix& out,
                      void* logSumExp);
// delta [H, T] of the statistics type: scratch of our kernels.
void attentionBackward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts,
                       const Matrix& q, const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp,
                       const Matrix& dOut, const Matrix& dq, const Matrix& dk, const Matrix& dv, void* delta);

} // namespace roundpipe::model
