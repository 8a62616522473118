// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/attention/attention.h"

#include "geometry/attention.h"
#include "model/attention/flash_attention.h"

namespace roundpipe::model {

using kernels::AttentionShape;

namespace {

bool usesFlash(const Compute& compute, const AttentionShape& shape, DType dtype) {
    return geometry::attentionBackend(compute.target.cuda, dtype, shape.headDim) == geometry::AttentionBackend::kFlash;
}

} // namespace

void attentionForward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                      const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp) {
    if (usesFlash(compute, shape, q.dtype))
        flashForward(compute, shape, starts, q, k, v, out, logSumExp);
    else
        kernels::attention(compute.target, shape, starts, q, k, v, out, logSumExp);
}

void attentionBackward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                       const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                       const Matrix& dq, const Matrix& dk, const Matrix& dv, void* delta) {
    if (usesFlash(compute, shape, q.dtype))
        flashBackward(compute, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv);
    else
        kernels::attentionBackward(compute.target, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv, delta);
}

} // namespace roundpipe::model
