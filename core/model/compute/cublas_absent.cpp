// SPDX-License-Identifier: GPL-3.0-or-later
// In a build without CUDA LibTorch computes all products.
#include "model/compute/cublas_products.h"

#include "base/error.h"

namespace roundpipe::model {

bool cublasProduct(const Compute&, Operand, Operand, const void*, const Matrix&, double, double) {
    return false;
}

void cublasFp8Product(const Compute&, const Fp8Operand&, const Fp8Operand&, const void*, const Matrix&, double) {
    RP_CHECK(!"FP8 without CUDA");
}

bool cublasHasFp8Product(int64_t, int64_t, int64_t, DType, bool) {
    return false;
}

} // namespace roundpipe::model
