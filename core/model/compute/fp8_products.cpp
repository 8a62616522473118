// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/fp8_products.h"

#include "base/error.h"
#include "base/fp8.h"
#include "geometry/packed_parts.h"
#include "model/compute/cublas_products.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>

#include <array>
#include <span>

namespace roundpipe::model {
namespace {

using geometry::LinearShape;
using kernels::ColumnFactors;

const std::byte* packedOf(const LinearCall& call, const LinearShape& linear) {
    return call.weights.packed + linear.weight.slotOffset;
}

const float* scalesOf(const LinearCall& call, const LinearShape& linear) {
    const geometry::PackedParts parts(WeightFormat::kFp8, linear.outFeatures(), linear.inFeatures());
    return reinterpret_cast<const float*>(packedOf(call, linear) + parts.scales);
}

// x in the call's scratch.
Fp8Operand quantised(const LinearCall& call, const Matrix& x, std::span<const ColumnFactors> factors) {
    RP_CHECK(call.quantised.codes != nullptr && call.weights.packed != nullptr);
    const Matrix codes = dense(call.quantised.codes, DType::kU8, x.rows, x.cols);
    kernels::quantiseFp8(call.compute.target, x, factors, {static_cast<uint8_t*>(codes.data), call.quantised.scales});
    return {codes, call.quantised.scales};
}

at::Tensor valuesOf(const Matrix& codes) {
    at::Tensor values = at::empty({codes.rows, codes.cols}, at::kFloat);
    auto* to = values.mutable_data_ptr<float>();
    for (int64_t row = 0; row < codes.rows; ++row) {
        const auto* const from = static_cast<const uint8_t*>(codes.data) + row * codes.pitch;
        for (int64_t col = 0; col < codes.cols; ++col)
            *to++ = fromE4m3(from[col]);
    }
    return values;
}

// out (+)= x wᵀ, with scales where compute.fp8 says so. A CPU's is the twin of a GPU's, for tests: it has no rate.
void fp8Product(const Compute& compute, const Fp8Operand& x, const Fp8Operand& w, const void* bias, bool adds,
                const Matrix& out) {
    if (out.rows == 0) return;
    if (compute.target.cuda) return cublasFp8Product(compute, x, w, bias, out, adds ? 1 : 0);
    at::Tensor sum = at::mm(valuesOf(x.codes), valuesOf(w.codes).t());
    at::Tensor result = tensorOf(compute, out);
    if (compute.fp8 == Fp8Products::kScaled) {
        sum *= tensorOf(compute, dense(x.scales, DType::kF32, out.rows, 1));
        if (w.scales != nullptr) sum *= vectorOf(compute, w.scales, DType::kF32, out.cols);
        if (bias != nullptr) sum += vectorOf(compute, bias, out.dtype, out.cols);
    }
    if (adds) sum += result;
    result.copy_(sum);
}

} // namespace

bool multipliesFp8(const LinearCall& call, const LinearGroup& group) {
    return call.compute.fp8 != Fp8Products::kNone && group.mayMultiplyFp8();
}

bool addsInFp8(const LinearCall& call, const LinearGroup& group) {
    return call.compute.fp8 == Fp8Products::kScaled && group.mayMultiplyFp8() && group.isAdapted() &&
           call.weights.adapter != nullptr;
}

void fp8Forward(const LinearCall& call, const LinearGroup& group, const Matrix& x, bool adds, const Matrix& y) {
    RP_CHECK(!adds || addsInFp8(call, group));
    const bool isScaled = call.compute.fp8 == Fp8Products::kScaled;
    const Fp8Operand input = quantised(call, x, {});
    for (const LinearShape& linear : group.linears) {
        const Fp8Operand weight{dense(packedOf(call, linear), DType::kU8, linear.outFeatures(), linear.inFeatures()),
                                scalesOf(call, linear)};
        const std::byte* bias = linear.bias ? dataOf(call.weights, *linear.bias) : nullptr;
        const Matrix out = columnsOf(y, linear.column, linear.outFeatures());
        fp8Product(call.compute, input, weight, isScaled ? bias : nullptr, adds && linear.adapter, out);
        if (!isScaled) kernels::scaleFp8Product(call.compute.target, out, input.scales, weight.scales, bias);
    }
}

void fp8InputGradient(const LinearCall& call, const LinearGroup& group, const Matrix& dy, bool adds, const Matrix& dx) {
    RP_CHECK(!adds || addsInFp8(call, group));
    std::array<ColumnFactors, kernels::kMostColumnFactors> factors;
    RP_CHECK(group.linears.size() <= factors.size());
    for (std::size_t i = 0; i < group.linears.size(); ++i)
        factors[i] = {group.linears[i].outFeatures(), scalesOf(call, group.linears[i])};
    const Fp8Operand gradient = quantised(call, dy, std::span(factors).first(group.linears.size()));
    for (const LinearShape& linear : group.linears) {
        const Fp8Operand part{columnsOf(gradient.codes, linear.column, linear.outFeatures()), gradient.scales};
        const Fp8Operand weight{
            dense(dataOf(call.weights, linear.weight), DType::kU8, linear.inFeatures(), linear.outFeatures())};
        fp8Product(call.compute, part, weight, nullptr, adds || linear.column > 0, dx);
    }
    if (call.compute.fp8 == Fp8Products::kScaledAfter)
        kernels::scaleFp8Product(call.compute.target, dx, gradient.scales, nullptr, nullptr);
}

} // namespace roundpipe::model
