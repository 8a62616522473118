// Matrix products on given memory, through LibTorch's `_out` operators. Internal to the folder; call under a
// ComputeScope.
#pragma once

#include "kernels/kernels.h"
#include "model/layer.h"

#include <ATen/core/Tensor.h>

namespace roundpipe::model {

// A dense matrix at `data`.
kernels::Matrix dense(const void* data, DType dtype, int64_t rows, int64_t cols);
// The same in memory taken from a workspace.
kernels::Matrix takeMatrix(Workspace& memory, DType dtype, int64_t rows, int64_t cols);
// Rows [first, first + count) of a matrix.
kernels::Matrix rowsOf(const kernels::Matrix& matrix, int64_t first, int64_t count);

// The matrix as a tensor that owns nothing.
at::Tensor tensorOf(const Compute& compute, const kernels::Matrix& matrix);
// The same for a dense vector.
at::Tensor vectorOf(const Compute& compute, const void* data, DType dtype, int64_t size);

// Enqueues a copy of a small host array to the device; `from` may change once the call returns.
void copyToDevice(const Compute& compute, const void* from, DType dtype, int64_t size, void* to);

// An operand, transposed or not.
struct Operand {
    const kernels::Matrix& matrix;
    bool transposed = false;
};
inline Operand transposed(const kernels::Matrix& matrix) {
    return {matrix, true};
}

// out = alpha * a b + beta * out, all of the operand type.
void product(const Compute& compute, Operand a, Operand b, const kernels::Matrix& out, double alpha = 1,
             double beta = 0);
// out = x wᵀ + bias (bias [out.cols] or null).
void linearProduct(const Compute& compute, const kernels::Matrix& x, const kernels::Matrix& w, const void* bias,
                   const kernels::Matrix& out);

// out (+)= alpha * aᵀ b with `out` of the statistics type: a gradient of a weight, summed over the rows (tokens) of a
// and b. `scratch`: gradientScratchBytes() bytes.
void gradientProduct(const Compute& compute, const kernels::Matrix& a, const kernels::Matrix& b, double alpha,
                     bool accumulate, const kernels::Matrix& out, std::byte* scratch);
// For products whose operands have `width` columns together.
int64_t gradientScratchBytes(DType dtype, int64_t width);

} // namespace roundpipe::model
