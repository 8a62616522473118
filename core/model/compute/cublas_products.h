// SPDX-License-Identifier: GPL-3.0-or-later
// Products on a GPU by cuBLASLt, straight on given memory. What LibTorch does around such a call keeps the host busy
// for longer than a small product keeps the GPU. Internal to the folder; call under a ComputeScope.
#pragma once

#include "model/compute/products.h"

namespace roundpipe::model {

// out = alpha * a b + beta * out + bias (bias [out.cols] or null), accumulated in fp32; a and b of one type, `out` of
// theirs or fp32. The same bits on every call. Kernels are chosen by shape and kept by the calling thread. False, and
// nothing is done, where cuBLASLt has no kernel for it: another one must compute it then.
bool cublasProduct(const Compute& compute, Operand a, Operand b, const void* bias, const Matrix& out, double alpha,
                   double beta);

// Rows of FP8 (DType::kU8: e4m3) with a scale each.
struct Fp8Operand {
    Matrix codes;
    const float* scales = nullptr; // null: 1
};
// out = x wᵀ + beta * out + bias, of `out`'s 16-bit type, accumulated in fp32. With Fp8Products::kScaled of `compute`
// the product has the scales of both, else those of neither. Throws kDevice where cuBLASLt has no kernel for it.
void cublasFp8Product(const Compute& compute, const Fp8Operand& x, const Fp8Operand& w, const void* bias,
                      const Matrix& out, double beta);
// Whether cuBLASLt has a kernel for such products of so many rows with weights (outs, ins): tried on the current
// device, without memory.
bool cublasHasFp8Product(int64_t rows, int64_t outs, int64_t ins, DType out, bool isScaled);

} // namespace roundpipe::model
