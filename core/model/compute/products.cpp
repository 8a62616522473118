// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/products.h"

#include "base/error.h"
#include "geometry/linear.h"
#include "model/compute/cublas_products.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>

#include <algorithm>

namespace roundpipe::model {
namespace {

using geometry::kWidenedRows;

at::ScalarType scalarType(DType dtype) {
    switch (dtype) {
    case DType::kF64:
        return at::kDouble;
    case DType::kF32:
        return at::kFloat;
    case DType::kBF16:
        return at::kBFloat16;
    case DType::kF16:
        return at::kHalf;
    case DType::kI64:
        return at::kLong;
    case DType::kI32:
        return at::kInt;
    default:
        RP_CHECK(!"a type that no layer computes with");
        return at::kByte;
    }
}

at::TensorOptions options(const Compute& compute, DType dtype) {
    const at::Device device = compute.target.cuda
                                  ? at::Device(at::kCUDA, static_cast<at::DeviceIndex>(compute.cudaIndex))
                                  : at::Device(at::kCPU);
    return at::TensorOptions().dtype(scalarType(dtype)).device(device);
}

at::Tensor tensorOf(const Compute& compute, const Operand& operand) {
    const at::Tensor tensor = tensorOf(compute, operand.matrix);
    return operand.transposed ? tensor.t() : tensor;
}

void widenedGradientProduct(const Compute& compute, const Matrix& a, const Matrix& b, double alpha, bool accumulate,
                            const Matrix& out, std::byte* scratch) {
    for (int64_t first = 0; first < a.rows; first += kWidenedRows) {
        const int64_t count = std::min(kWidenedRows, a.rows - first);
        const Matrix wideA = dense(scratch, out.dtype, count, a.cols);
        const Matrix wideB = dense(static_cast<float*>(wideA.data) + kWidenedRows * a.cols, out.dtype, count, b.cols);
        kernels::convert(compute.target, rowsOf(a, first, count), 1.0, wideA);
        kernels::convert(compute.target, rowsOf(b, first, count), 1.0, wideB);
        product(compute, transposed(wideA), {wideB}, out, alpha, accumulate || first > 0 ? 1 : 0);
    }
}

} // namespace

at::Tensor tensorOf(const Compute& compute, const Matrix& matrix) {
    const at::TensorOptions how = options(compute, matrix.dtype);
    return at::for_blob(matrix.data, {matrix.rows, matrix.cols})
        .strides({matrix.pitch, 1})
        .options(how)
        .target_device(how.device())
        .make_tensor();
}

at::Tensor vectorOf(const Compute& compute, const void* data, DType dtype, int64_t size) {
    const at::TensorOptions how = options(compute, dtype);
    return at::for_blob(const_cast<void*>(data), {size}).options(how).target_device(how.device()).make_tensor();
}

void copyToDevice(const Compute& compute, const void* from, DType dtype, int64_t size, void* to) {
    // Pageable memory is staged before the call returns, even when it doesn't block.
    const at::Tensor source = at::for_blob(const_cast<void*>(from), {size}).options(scalarType(dtype)).make_tensor();
    vectorOf(compute, to, dtype, size).copy_(source, /*non_blocking=*/true);
}

void product(const Compute& compute, Operand a, Operand b, const Matrix& out, double alpha, double beta) {
    if (cublasProduct(compute, a, b, nullptr, out, alpha, beta)) return;
    at::Tensor result = tensorOf(compute, out);
    at::addmm_out(result, result, tensorOf(compute, a), tensorOf(compute, b), beta, alpha);
}

void linearProduct(const Compute& compute, const Matrix& x, const Matrix& w, const void* bias, const Matrix& out) {
    if (cublasProduct(compute, {x}, transposed(w), bias, out, 1, 0)) return;
    at::Tensor result = tensorOf(compute, out);
    const at::Tensor weight = tensorOf(compute, w).t();
    if (bias == nullptr)
        at::mm_out(result, tensorOf(compute, x), weight);
    else
        at::addmm_out(result, vectorOf(compute, bias, out.dtype, out.cols), tensorOf(compute, x), weight);
}

void gradientProduct(const Compute& compute, const Matrix& a, const Matrix& b, double alpha, bool accumulate,
                     const Matrix& out, std::byte* scratch) {
    RP_CHECK(out.dtype == statisticsType(a.dtype));
    if (cublasProduct(compute, transposed(a), {b}, nullptr, out, alpha, accumulate ? 1 : 0)) return;
    if (out.dtype == a.dtype) {
        product(compute, transposed(a), {b}, out, alpha, accumulate ? 1 : 0);
    } else if (compute.target.cuda) {
        at::Tensor result = tensorOf(compute, out);
        at::addmm_out(result, result, tensorOf(compute, transposed(a)), tensorOf(compute, b), at::kFloat,
                      accumulate ? 1 : 0, alpha);
    } else {
        widenedGradientProduct(compute, a, b, alpha, accumulate, out, scratch);
    }
}

} // namespace roundpipe::model
