// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/attention/attention.h"

#include "geometry/attention_backend.h"
#include "model/attention/cudnn_attention.h"
#include "model/attention/cudnn_trial.h"
#include "model/attention/flash_attention.h"

namespace roundpipe::model {

using geometry::AttentionBackend;
using kernels::AttentionShape;

namespace {

AttentionBackend backendOf(const Compute& compute, const AttentionShape& shape, DType dtype) {
    const auto backend =
        geometry::attentionBackend(compute.target.cuda, compute.computeCapability, dtype, shape.headDim);
    return backend == AttentionBackend::kCudnn && !cudnnAgrees(compute, shape) ? AttentionBackend::kFlash : backend;
}

bool cudnnGoesBack(const Compute& compute, const AttentionShape& shape) {
    return !compute.deterministic || geometry::cudnnSequencesAtOnce(shape.numHeads, shape.maxLength) > 0;
}

} // namespace

void attentionForward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                      const Matrix& k, const Matrix& v, const void* sinks, const Matrix& out, void* logSumExp) {
    const AttentionBackend backend = backendOf(compute, shape, q.dtype);
    switch (backend) {
    case AttentionBackend::kOwnKernels:
        kernels::attention(compute.target, shape, starts, q, k, v, out, logSumExp);
        break;
    case AttentionBackend::kFlash:
        flashForward(compute, shape, starts, q, k, v, out, logSumExp);
        break;
    case AttentionBackend::kCudnn:
        cudnnForward(compute, shape, starts, q, k, v, out, logSumExp);
        break;
    }
    if (sinks == nullptr) return;
    kernels::addSinks(compute.target, sinks, shape.numHeads, backend == AttentionBackend::kCudnn, logSumExp, out);
}

void attentionBackward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                       const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                       const Matrix& dq, const Matrix& dk, const Matrix& dv, void* delta) {
    switch (backendOf(compute, shape, q.dtype)) {
    case AttentionBackend::kOwnKernels:
        return kernels::attentionBackward(compute.target, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv,
                                          delta);
    case AttentionBackend::kFlash:
        return flashBackward(compute, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv);
    case AttentionBackend::kCudnn:
        if (cudnnGoesBack(compute, shape))
            return cudnnBackward(compute, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv);
        return flashBackward(compute, shape, starts, q, k, v, out, logSumExp, dOut, dq, dk, dv, /*byToken=*/true);
    }
}

} // namespace roundpipe::model
