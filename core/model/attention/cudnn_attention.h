// SPDX-License-Identifier: GPL-3.0-or-later
// cuDNN's attention over sequences laid end to end, straight into the buffers that are given. Internal to the folder;
// geometry/attention_backend.h says when it is used.
#pragma once

#include "model/compute/compute.h"

namespace roundpipe::model {

// logSumExp [T, H] fp32: by token, unlike that of our kernels. May be null. The same bits on every call.
void cudnnForward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts, const Matrix& q,
                  const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp);
// The same bits on every call where `compute` wants them, by geometry::cudnnSequencesAtOnce() at a time, which must not
// be 0 then.
void cudnnBackward(const Compute& compute, const kernels::AttentionShape& shape, const int32_t* starts, const Matrix& q,
                   const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                   const Matrix& dq, const Matrix& dk, const Matrix& dv);

} // namespace roundpipe::model
