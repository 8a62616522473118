// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/linear.h"

#include "base/error.h"
#include "model/compute/fp8_products.h"

#include <array>
#include <span>

namespace roundpipe::model {
namespace {

using geometry::AdapterRows;
using geometry::bytesOf;
using geometry::LinearShape;
using geometry::WeightRows;

// Those of `dtype` in an adapter block at `block`.
Matrix adapterA(const LinearGroup& group, const AdapterRows& rows, const void* block, DType dtype) {
    const auto* data = static_cast<const std::byte*>(block);
    return dense(data + bytesOf(dtype, rows.offsetA), dtype, rows.rows, group.inFeatures());
}

Matrix adapterB(const LinearShape& linear, const void* block, DType dtype) {
    const auto* data = static_cast<const std::byte*>(block);
    return dense(data + bytesOf(dtype, linear.adapter->offsetB), dtype, linear.outFeatures(), linear.rank);
}

// What is of one of them, or of neighbours, in matrices of the group.
Matrix outputOf(const Matrix& y, const WeightRows& rows) {
    return columnsOf(y, rows.column, rows.outFeatures());
}
Matrix outputOf(const Matrix& y, const LinearShape& linear) {
    return columnsOf(y, linear.column, linear.outFeatures());
}
Matrix productOf(const Matrix& xA, const AdapterRows& rows) {
    return columnsOf(xA, rows.column, rows.rows);
}
Matrix productOf(const Matrix& xA, const LinearShape& linear) {
    return columnsOf(xA, linear.adapterColumn, linear.rank);
}

bool drops(const LinearCall& call, const LinearGroup& group) {
    return call.rowKeys != nullptr && group.isAdapted() && group.apart.front().dropout > 0;
}

const std::vector<AdapterRows>& adaptersOf(const LinearCall& call, const LinearGroup& group) {
    return drops(call, group) ? group.apart : group.adapters;
}

// What the adapters see of x.
Matrix adapterInput(const LinearCall& call, const LinearGroup& group, const AdapterRows& rows, const Matrix& x) {
    if (!drops(call, group)) return x;
    const Matrix dropped = dense(call.dropped, x.dtype, x.rows, x.cols);
    kernels::dropout(call.compute.target, x, call.rowKeys, rows.moduleKey, rows.dropout, dropped);
    return dropped;
}

// dx += drop'(delta A), or without a dropout dx = delta A
void addAdapterInputGradient(const LinearCall& call, const LinearGroup& group, const AdapterRows& rows,
                             const Matrix& delta, bool adds, const Matrix& dx) {
    const Matrix a = adapterA(group, rows, call.weights.adapter, dx.dtype);
    if (!drops(call, group)) {
        product(call.compute, {delta}, {a}, dx, 1, adds ? 1 : 0);
        return;
    }
    const Matrix mixed = dense(call.mixed, dx.dtype, dx.rows, dx.cols);
    const Matrix dropped = dense(call.dropped, dx.dtype, dx.rows, dx.cols);
    product(call.compute, {delta}, {a}, mixed);
    kernels::dropout(call.compute.target, mixed, call.rowKeys, rows.moduleKey, rows.dropout, dropped);
    kernels::add(call.compute.target, dx, dropped, dx);
}

Matrix deltaOf(const LinearCall& call, const LinearGroup& group, const Matrix& dy) {
    return dense(call.delta, dy.dtype, dy.rows, group.adapterColumns());
}

// y = x Wᵀ + b
void baseForward(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& y) {
    if (multipliesFp8(call, group)) return fp8Forward(call, group, x, false, y);
    for (const WeightRows& rows : group.weights) {
        const std::byte* bias = rows.bias ? dataOf(call.weights, *rows.bias) : nullptr;
        linearProduct(call.compute, x, matrixOf(call.weights, rows.weight), bias, outputOf(y, rows));
    }
}

// dx = dy W
void baseInputGradient(const LinearCall& call, const LinearGroup& group, const Matrix& dy, const Matrix& dx) {
    if (multipliesFp8(call, group)) return fp8InputGradient(call, group, dy, false, dx);
    for (const WeightRows& rows : group.weights)
        product(call.compute, {outputOf(dy, rows)}, {matrixOf(call.weights, rows.weight)}, dx, 1,
                rows.column > 0 ? 1 : 0);
}

void baseGradients(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& dy) {
    for (const WeightRows& rows : group.weights)
        if (rows.isTrained)
            gradientProduct(call.compute, outputOf(dy, rows), x, 1, true, gradientOf(call.gradients, rows.weight),
                            call.wideScratch);
    for (const LinearShape& linear : group.linears) {
        if (!linear.isTrained || !linear.bias) continue;
        const Matrix parts = dense(call.sumParts.data, call.sumParts.dtype, call.sumParts.rows, linear.outFeatures());
        kernels::addColumnSums(call.compute.target, outputOf(dy, linear), parts,
                               gradientOf(call.gradients, *linear.bias).data);
    }
}

// What is added to gradients by no rows: products don't say so everywhere. Those of the base were readied.
void noGradient(const LinearCall& call, const LinearGroup& group, DType dtype) {
    if (call.gradients.accumulate) return;
    const DType type = statisticsType(dtype);
    for (const AdapterRows& rows : group.adapters)
        tensorOf(call.compute, adapterA(group, rows, call.gradients.data, type)).zero_();
    for (const LinearShape& linear : group.linears)
        if (linear.adapter) tensorOf(call.compute, adapterB(linear, call.gradients.data, type)).zero_();
}

// The columns of `appended` that are of each linear's adapter get its B in the rows of its weight, and zeros elsewhere.
void appendAdapters(const LinearCall& call, const LinearGroup& group, const Matrix& appended) {
    for (const LinearShape& linear : group.linears) {
        const Matrix rows = rowsOf(appended, linear.column, linear.outFeatures());
        const Matrix b = adapterB(linear, call.weights.adapter, rows.dtype);
        for (const LinearShape& each : group.linears)
            kernels::convert(call.compute.target, b, &each == &linear ? 1 : 0, productOf(rows, each));
    }
}

// y = [x s·xA] [W B]ᵀ, where for gate and up
//
//   [W B] = [ Wgate  Bgate  0   ]
//           [ Wup    0      Bup ]
//
// which reads and writes y once. B is written each time, a hundredth of what the product takes: so nobody else need
// know of it, and no upload waits for a kernel.
void appendedForward(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& xA,
                     const Matrix& y) {
    const int64_t appended = group.appendedColumns(x.rows);
    RP_CHECK(x.pitch >= x.cols + appended);
    const WeightRows& rows = group.weights.front();
    Matrix weight = matrixOf(call.weights, rows.weight);
    appendAdapters(call, group, columnsOf(weight, weight.cols, appended));
    adapterProduct(call, group, x, xA);
    kernels::convert(call.compute.target, xA, group.linears.front().scale, columnsOf(x, x.cols, appended));
    weight.cols += appended;
    const std::byte* bias = rows.bias ? dataOf(call.weights, *rows.bias) : nullptr;
    linearProduct(call.compute, columnsOf(x, 0, x.cols + appended), weight, bias, y);
}

// xA of a single row.
void rowAdapterProduct(const LinearCall& call, const LinearGroup& group, const kernels::RowInput& input,
                       const Matrix& xA) {
    if (call.weights.adapter == nullptr || !group.isAdapted()) return;
    std::array<kernels::RowLinear, kernels::kMostRowLinears> linears;
    RP_CHECK(call.rowKeys == nullptr && group.adapters.size() <= linears.size());
    for (std::size_t i = 0; i < group.adapters.size(); ++i)
        linears[i].weight = adapterA(group, group.adapters[i], call.weights.adapter, xA.dtype);
    kernels::rowProduct(call.compute.target, input, std::span(linears).first(group.adapters.size()), nullptr, xA);
}

kernels::RowLinear rowLinear(const LinearCall& call, const LinearShape& linear, const Matrix& xA) {
    kernels::RowLinear row;
    row.weight = matrixOf(call.weights, linear.weight);
    if (linear.bias) row.bias = dataOf(call.weights, *linear.bias);
    if (call.weights.adapter == nullptr || !linear.adapter) return row;
    row.b = adapterB(linear, call.weights.adapter, row.weight.dtype);
    row.product = productOf(xA, linear).data;
    row.scale = linear.scale;
    return row;
}

// The upper or lower half of what it gives.
kernels::RowLinear halfOf(kernels::RowLinear linear, int64_t which) {
    RP_CHECK(linear.bias == nullptr);
    const int64_t rows = linear.weight.rows / 2;
    linear.weight = rowsOf(linear.weight, which * rows, rows);
    if (linear.b.rows > 0) linear.b = rowsOf(linear.b, which * rows, rows);
    return linear;
}

} // namespace

const std::byte* dataOf(const LayerWeights& weights, const geometry::TensorPlace& place) {
    return weights.base + place.offsetBytes;
}

kernels::NormWeight normOf(const LayerWeights& weights, const geometry::TensorPlace& place) {
    return {dataOf(weights, place), place.spec.kind == arch::TensorKind::kNormPlusOne};
}

Matrix matrixOf(const LayerWeights& weights, const geometry::TensorPlace& place) {
    Matrix matrix = dense(dataOf(weights, place), place.dtype, place.spec.shape[0], place.spec.shape[1]);
    matrix.pitch = place.pitchElements;
    return matrix;
}

void linearForward(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& xA,
                   const Matrix& y) {
    if (!multipliesFp8(call, group) && call.weights.adapter != nullptr && group.appendedColumns(x.rows) > 0) {
        appendedForward(call, group, x, xA, y);
        return;
    }
    const bool isBaseLast = addsInFp8(call, group);
    if (!isBaseLast) baseForward(call, group, x, y);
    if (call.weights.adapter == nullptr) return;
    adapterProduct(call, group, x, xA);
    for (const LinearShape& linear : group.linears) {
        if (!linear.adapter) continue;
        const Matrix b = adapterB(linear, call.weights.adapter, y.dtype);
        product(call.compute, {productOf(xA, linear)}, transposed(b), outputOf(y, linear), linear.scale,
                isBaseLast ? 0 : 1);
    }
    if (isBaseLast) fp8Forward(call, group, x, true, y);
}

void rowForward(const LinearCall& call, const LinearGroup& group, const kernels::RowInput& input, const Matrix& xA,
                const Matrix* residual, const Matrix& y) {
    std::array<kernels::RowLinear, kernels::kMostRowLinears> linears;
    RP_CHECK(group.linears.size() <= linears.size());
    rowAdapterProduct(call, group, input, xA);
    for (std::size_t i = 0; i < group.linears.size(); ++i)
        linears[i] = rowLinear(call, group.linears[i], xA);
    kernels::rowProduct(call.compute.target, input, std::span(linears).first(group.linears.size()), residual, y);
}

void rowGlu(const LinearCall& call, kernels::Activation activation, const LinearGroup& group,
            const kernels::RowInput& input, const Matrix& xA, const Matrix& act) {
    rowAdapterProduct(call, group, input, xA);
    if (group.linears.size() == 1) {
        const kernels::RowLinear both = rowLinear(call, group.linears[0], xA);
        kernels::rowGlu(call.compute.target, activation, input, halfOf(both, 0), halfOf(both, 1), act);
        return;
    }
    RP_CHECK(group.linears.size() == 2);
    kernels::rowGlu(call.compute.target, activation, input, rowLinear(call, group.linears[0], xA),
                    rowLinear(call, group.linears[1], xA), act);
}

void adapterProduct(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& xA) {
    if (call.weights.adapter == nullptr) return;
    for (const AdapterRows& rows : adaptersOf(call, group)) {
        const Matrix a = adapterA(group, rows, call.weights.adapter, x.dtype);
        product(call.compute, {adapterInput(call, group, rows, x)}, transposed(a), productOf(xA, rows));
    }
}

void inputGradient(const LinearCall& call, const LinearGroup& group, const Matrix& dy, const Matrix* dx) {
    const bool isBaseLast = addsInFp8(call, group) && !drops(call, group);
    if (dx != nullptr && !isBaseLast) baseInputGradient(call, group, dy, *dx);
    const Matrix delta = deltaOf(call, group, dy);
    for (const LinearShape& linear : group.linears)
        if (linear.adapter)
            product(call.compute, {outputOf(dy, linear)}, {adapterB(linear, call.weights.adapter, dy.dtype)},
                    productOf(delta, linear), linear.scale);
    if (dx == nullptr) return;
    for (const AdapterRows& rows : adaptersOf(call, group))
        addAdapterInputGradient(call, group, rows, productOf(delta, rows), !isBaseLast || rows.column > 0, *dx);
    if (isBaseLast) fp8InputGradient(call, group, dy, true, *dx);
}

void trainedGradient(const LinearCall& call, const LinearGroup& group, const Matrix& x, const Matrix& xA,
                     const Matrix& dy) {
    if (call.gradients.data == nullptr) return;
    if (x.rows == 0) {
        noGradient(call, group, dy.dtype);
        return;
    }
    baseGradients(call, group, x, dy);
    const DType type = statisticsType(dy.dtype);
    const bool accumulate = call.gradients.accumulate;
    for (const LinearShape& linear : group.linears)
        if (linear.adapter)
            gradientProduct(call.compute, outputOf(dy, linear), productOf(xA, linear), linear.scale, accumulate,
                            adapterB(linear, call.gradients.data, type), call.wideScratch);
    const Matrix delta = deltaOf(call, group, dy);
    for (const AdapterRows& rows : adaptersOf(call, group))
        gradientProduct(call.compute, productOf(delta, rows), adapterInput(call, group, rows, x), 1, accumulate,
                        adapterA(group, rows, call.gradients.data, type), call.wideScratch);
}

void normGradient(const LinearCall& call, const geometry::TensorPlace& norm, const Matrix& dy, const Matrix& x,
                  const void* rstd) {
    if (!norm.isTrained() || call.gradients.data == nullptr) return;
    const Matrix parts = dense(call.sumParts.data, call.sumParts.dtype, call.sumParts.rows, x.cols);
    kernels::rmsNormWeightGradient(call.compute.target, dy, x, rstd, parts, gradientOf(call.gradients, norm).data);
}

Matrix gradientOf(const GradientView& gradients, const geometry::TensorPlace& place) {
    const DType type = statisticsType(place.dtype);
    Matrix matrix = dense(gradients.data + geometry::bytesOf(type, place.gradientOffset), type, place.rows(),
                          place.spec.shape.back());
    matrix.pitch = place.pitchElements;
    return matrix;
}

void beginBaseGradients(const Compute& compute, DType operandType, int64_t numElements, GradientView& gradients) {
    if (gradients.data == nullptr || gradients.accumulate) return;
    vectorOf(compute, gradients.data, statisticsType(operandType), numElements).zero_();
    gradients.accumulate = true;
}

void multiplyInPlace(const kernels::Target& target, const Matrix& x, double multiplier) {
    if (multiplier != 1) kernels::convert(target, x, multiplier, x);
}

} // namespace roundpipe::model
