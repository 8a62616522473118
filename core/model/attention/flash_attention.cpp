// SPDX-License-Identifier: GPL-3.0-or-later
// Reached through the dispatcher only: the library that holds it is loaded at run time.
#include "model/attention/flash_attention.h"

#include "model/compute/products.h"

#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/zeros.h>

#include <optional>

namespace roundpipe::model {
namespace {

using kernels::AttentionShape;

// [T, heads * K] as [T, heads, K].
at::Tensor headsOf(const Compute& compute, const Matrix& matrix, int64_t numHeads) {
    return tensorOf(compute, matrix).unflatten(1, {numHeads, matrix.cols / numHeads});
}

at::Tensor startsOf(const Compute& compute, const AttentionShape& shape, const int32_t* starts) {
    return vectorOf(compute, starts, DType::kI32, shape.numSequences + 1);
}

at::Tensor logSumExpOf(const Compute& compute, const AttentionShape& shape, const void* data, int64_t numTokens) {
    return tensorOf(compute, dense(data, DType::kF32, shape.numHeads, numTokens));
}

// Our window counts the token itself; flash attention counts the tokens to its left. Nothing to the right: causal.
std::optional<int64_t> leftOf(const AttentionShape& shape) {
    return shape.window > 0 ? std::optional<int64_t>(shape.window - 1) : std::nullopt;
}
std::optional<int64_t> rightOf(const AttentionShape& shape) {
    return shape.window > 0 ? std::optional<int64_t>(0) : std::nullopt;
}

} // namespace

void flashForward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                  const Matrix& k, const Matrix& v, const Matrix& out, void* logSumExp) {
    const at::Tensor bounds = startsOf(compute, shape, starts);
    const auto [result, sums, rngState, unused, mask] =
        at::_flash_attention_forward(headsOf(compute, q, shape.numHeads), headsOf(compute, k, shape.numKvHeads),
                                     headsOf(compute, v, shape.numKvHeads), bounds, bounds, shape.maxLength,
                                     shape.maxLength, 0.0, true, false, shape.scale, leftOf(shape), rightOf(shape));
    headsOf(compute, out, shape.numHeads).copy_(result);
    if (logSumExp != nullptr) logSumExpOf(compute, shape, logSumExp, q.rows).copy_(sums);
}

void flashBackward(const Compute& compute, const AttentionShape& shape, const int32_t* starts, const Matrix& q,
                   const Matrix& k, const Matrix& v, const Matrix& out, const void* logSumExp, const Matrix& dOut,
                   const Matrix& dq, const Matrix& dk, const Matrix& dv, bool byToken) {
    const at::Tensor sums = byToken ? tensorOf(compute, dense(logSumExp, DType::kF32, q.rows, shape.numHeads)).t()
                                    : logSumExpOf(compute, shape, logSumExp, q.rows);
    const at::Tensor bounds = startsOf(compute, shape, starts);
    const at::Tensor noDropout = at::zeros({2}, at::TensorOptions().dtype(at::kLong).device(bounds.device()));
    const auto [dqResult, dkResult, dvResult] = at::_flash_attention_backward(
        headsOf(compute, dOut, shape.numHeads), headsOf(compute, q, shape.numHeads),
        headsOf(compute, k, shape.numKvHeads), headsOf(compute, v, shape.numKvHeads),
        headsOf(compute, out, shape.numHeads), sums.contiguous(), bounds, bounds, shape.maxLength, shape.maxLength, 0.0,
        true, noDropout, noDropout, shape.scale, leftOf(shape), rightOf(shape));
    headsOf(compute, dq, shape.numHeads).copy_(dqResult);
    headsOf(compute, dk, shape.numKvHeads).copy_(dkResult);
    headsOf(compute, dv, shape.numKvHeads).copy_(dvResult);
}

} // namespace roundpipe::model
