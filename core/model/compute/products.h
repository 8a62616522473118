// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products on given memory, by cuBLASLt on GPUs and else through LibTorch's `_out` operators. Internal to the
// folder; call under a ComputeScope.
#pragma once

#include "model/compute/compute.h"

#include <ATen/core/Tensor.h>

namespace roundpipe::model {

// The matrix as a tensor that owns nothing.
at::Tensor tensorOf(const Compute& compute, const Matrix& matrix);
// The same for a dense vector.
at::Tensor vectorOf(const Compute& compute, const void* data, DType dtype, int64_t size);

// Enqueues a copy of a small host array to the device; `from` may change once the call returns.
void copyToDevice(const Compute& compute, const void* from, DType dtype, int64_t size, void* to);

// An operand, transposed or not.
struct Operand {
    const Matrix& matrix;
    bool transposed = false;
};
inline Operand transposed(const Matrix& matrix) {
    return {matrix, true};
}

// out = alpha * a b + beta * out, all of the operand type.
void product(const Compute& compute, Operand a, Operand b, const Matrix& out, double alpha = 1, double beta = 0);
// out = x wᵀ + bias (bias [out.cols] or null).
void linearProduct(const Compute& compute, const Matrix& x, const Matrix& w, const void* bias, const Matrix& out);

// out (+)= alpha * aᵀ b with `out` of the statistics type: a gradient of a weight, summed over the rows (tokens) of a
// and b. `scratch`: geometry::gradientScratchBytes() bytes.
void gradientProduct(const Compute& compute, const Matrix& a, const Matrix& b, double alpha, bool accumulate,
                     const Matrix& out, std::byte* scratch);

} // namespace roundpipe::model
