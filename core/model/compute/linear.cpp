// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/linear.h"

namespace roundpipe::model {
namespace {

// A (rank, in) and B (out, rank) of `dtype` in an adapter block at `block`.
Matrix adapterA(const LinearShape& linear, const void* block, DType dtype) {
    const auto* data = static_cast<const std::byte*>(block);
    return dense(data + linear.adapter->offsetA * static_cast<int64_t>(sizeOf(dtype)), dtype, linear.rank,
                 linear.inFeatures());
}

Matrix adapterB(const LinearShape& linear, const void* block, DType dtype) {
    const auto* data = static_cast<const std::byte*>(block);
    return dense(data + linear.adapter->offsetB * static_cast<int64_t>(sizeOf(dtype)), dtype, linear.outFeatures(),
                 linear.rank);
}

bool drops(const LinearCall& call, const LinearShape& linear) {
    return call.rowKeys != nullptr && linear.dropout > 0;
}

// What the adapter sees of x.
Matrix adapterInput(const LinearCall& call, const LinearShape& linear, const Matrix& x) {
    if (!drops(call, linear)) return x;
    const Matrix dropped = dense(call.dropped, x.dtype, x.rows, x.cols);
    kernels::dropout(call.compute.target, x, call.rowKeys, linear.moduleKey, linear.dropout, dropped);
    return dropped;
}

// dx += drop'(delta A)
void addAdapterInputGradient(const LinearCall& call, const LinearShape& linear, const Matrix& delta, const Matrix& dx) {
    const Matrix a = adapterA(linear, call.weights.adapter, dx.dtype);
    if (!drops(call, linear)) {
        product(call.compute, {delta}, {a}, dx, 1, 1);
        return;
    }
    const Matrix mixed = dense(call.mixed, dx.dtype, dx.rows, dx.cols);
    const Matrix dropped = dense(call.dropped, dx.dtype, dx.rows, dx.cols);
    product(call.compute, {delta}, {a}, mixed);
    kernels::dropout(call.compute.target, mixed, call.rowKeys, linear.moduleKey, linear.dropout, dropped);
    kernels::add(call.compute.target, dx, dropped, dx);
}

Matrix deltaOf(const LinearCall& call, const LinearShape& linear, const Matrix& dy) {
    return dense(call.delta, dy.dtype, dy.rows, linear.rank);
}

void baseGradient(const LinearCall& call, const LinearShape& linear, const Matrix& x, const Matrix& dy) {
    gradientProduct(call.compute, dy, x, 1, true, gradientOf(call.gradients, linear.weight), call.wideScratch);
    if (!linear.bias) return;
    const Matrix parts = dense(call.sumParts.data, call.sumParts.dtype, call.sumParts.rows, dy.cols);
    kernels::addColumnSums(call.compute.target, dy, parts, gradientOf(call.gradients, *linear.bias).data);
}

} // namespace

const std::byte* dataOf(const LayerWeights& weights, const geometry::TensorPlace& place) {
    return weights.base + place.offsetBytes;
}

Matrix matrixOf(const LayerWeights& weights, const geometry::TensorPlace& place) {
    Matrix matrix = dense(dataOf(weights, place), place.dtype, place.spec.shape[0], place.spec.shape[1]);
    matrix.pitch = place.pitchElements;
    return matrix;
}

void linearForward(const LinearCall& call, const LinearShape& linear, const Matrix& x, const Matrix& xA,
                   const Matrix& y) {
    const std::byte* bias = linear.bias ? dataOf(call.weights, *linear.bias) : nullptr;
    linearProduct(call.compute, x, matrixOf(call.weights, linear.weight), bias, y);
    if (!linear.adapter || call.weights.adapter == nullptr) return;
    adapterProduct(call, linear, x, xA);
    const Matrix b = adapterB(linear, call.weights.adapter, y.dtype);
    product(call.compute, {xA}, transposed(b), y, linear.scale, 1);
}

void adapterProduct(const LinearCall& call, const LinearShape& linear, const Matrix& x, const Matrix& xA) {
    if (!linear.adapter || call.weights.adapter == nullptr) return;
    const Matrix a = adapterA(linear, call.weights.adapter, x.dtype);
    product(call.compute, {adapterInput(call, linear, x)}, transposed(a), xA);
}

void inputGradient(const LinearCall& call, const LinearShape& linear, const Matrix& dy, const Matrix* dx,
                   bool addToDx) {
    if (dx != nullptr) product(call.compute, {dy}, {matrixOf(call.weights, linear.weight)}, *dx, 1, addToDx ? 1 : 0);
    if (!linear.adapter) return;
    const Matrix delta = deltaOf(call, linear, dy);
    product(call.compute, {dy}, {adapterB(linear, call.weights.adapter, dy.dtype)}, delta, linear.scale);
    if (dx != nullptr) addAdapterInputGradient(call, linear, delta, *dx);
}

void trainedGradient(const LinearCall& call, const LinearShape& linear, const Matrix& x, const Matrix& xA,
                     const Matrix& dy) {
    if (call.gradients.data == nullptr) return;
    if (linear.isTrained) baseGradient(call, linear, x, dy);
    if (!linear.adapter) return;
    const DType type = statisticsType(dy.dtype);
    const bool accumulate = call.gradients.accumulate;
    gradientProduct(call.compute, dy, xA, linear.scale, accumulate, adapterB(linear, call.gradients.data, type),
                    call.wideScratch);
    gradientProduct(call.compute, deltaOf(call, linear, dy), adapterInput(call, linear, x), 1, accumulate,
                    adapterA(linear, call.gradients.data, type), call.wideScratch);
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

} // namespace roundpipe::model
