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

} // namespace roundpipe::model
