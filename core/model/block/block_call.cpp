// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/block/block_call.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::model {

LinearCall makeLinearCall(const geometry::BlockTrunk& shape, Compute& compute, const BatchView& batch,
                          const LayerWeights& weights, uint64_t* rowKeys, const Matrix& dropped) {
    RP_CHECK(compute.dtype == shape.dtype && weights.base != nullptr);
    LinearCall linear{compute, weights, {}};
    linear.dropped = static_cast<std::byte*>(dropped.data);
    if (shape.dropout == 0 || !batch.training) return linear;
    kernels::makeRowKeys(compute.target, batch.seed, batch.step, batch.exampleIds, batch.starts, batch.numSequences,
                         batch.positions, batch.numTokens, rowKeys);
    linear.rowKeys = rowKeys;
    return linear;
}

Rotary makeRotary(const geometry::BlockTrunk& shape, int64_t longest) {
    Rotary rotary = makeRotary(shape.config, shape.attention.rope, longest, statisticsType(shape.dtype));
    if (shape.attention.hasRotary) return rotary;
    std::ranges::fill(rotary.inverseFrequencies, 0.0); // a cosine of 1 and a sine of 0 change no bit
    rotary.scaling = 1;
    return rotary;
}

const Rotary& rotaryOf(const geometry::BlockTrunk& shape, const Rotary& usual, int64_t longest, Rotary& stretched) {
    if (!shape.attention.rope.dependsOnLength()) return usual;
    stretched = makeRotary(shape, longest);
    return stretched;
}

kernels::Activation gateOf(const BlockCall& call) {
    return call.shape.config.geluGate ? kernels::Activation::kGeluTanh : kernels::Activation::kSilu;
}

void normInto(const BlockCall& call, const OptionalNorm& norm, const Matrix& x, void* rstd) {
    if (norm)
        kernels::rmsNorm(call.target(), x, normOf(call.weights(), *norm), call.shape.config.rmsNormEps, call.normed,
                         rstd);
    else
        kernels::convert(call.target(), x, 1, call.normed);
}

kernels::RowInput rowInput(const BlockCall& call, const OptionalNorm& norm, const Matrix& x) {
    if (!norm) return {x};
    return {x, normOf(call.weights(), *norm), call.shape.config.rmsNormEps};
}

void normBackward(const BlockCall& call, const OptionalNorm& norm, const Matrix& x, const void* rstd,
                  const Matrix& dOut, const Matrix& dx) {
    if (!norm) return kernels::add(call.target(), dx, dOut, dx);
    normGradient(call.linear, *norm, dx, x, rstd);
    kernels::rmsNormBackward(call.target(), dx, x, normOf(call.weights(), *norm), rstd, &dOut, dx);
}

void addTo(const BlockCall& call, const Matrix& in, const OptionalNorm& norm, const Matrix& added, const Matrix& out) {
    if (norm)
        kernels::rmsNorm(call.target(), added, normOf(call.weights(), *norm), call.shape.config.rmsNormEps, out,
                         nullptr);
    multiplyInPlace(call.target(), out, call.shape.config.multipliers.residual);
    kernels::add(call.target(), in, out, out);
}

void addRowTo(const BlockCall& call, const Matrix& in, const OptionalNorm& norm, const LinearGroup& group,
              const kernels::RowInput& x, const Matrix& xA, const Matrix& added, const Matrix& out) {
    const bool isPlain = !norm && call.shape.config.multipliers.residual == 1;
    const Matrix& given = norm ? added : out;
    rowForward(call.linear, group, x, xA, isPlain ? &in : nullptr, given);
    if (!isPlain) addTo(call, in, norm, given, out);
}

Matrix gradientOfAdded(const BlockCall& call, const OptionalNorm& norm, const Matrix& added, void* rstd,
                       const Matrix& dOut) {
    const double multiplier = call.shape.config.multipliers.residual;
    if (!norm && multiplier == 1) return dOut;
    if (!norm) {
        kernels::convert(call.target(), dOut, multiplier, call.normed);
        return call.normed;
    }
    RP_CHECK(multiplier == 1); // no family has both
    const kernels::NormWeight weight = normOf(call.weights(), *norm);
    kernels::rmsNorm(call.target(), added, weight, call.shape.config.rmsNormEps, call.normed, rstd);
    normGradient(call.linear, *norm, dOut, added, rstd);
    kernels::rmsNormBackward(call.target(), dOut, added, weight, rstd, nullptr, call.normed);
    return call.normed;
}

void makeCosSin(const AttentionCall& call) {
    const std::vector<double>& frequencies = call.rotary.inverseFrequencies;
    const auto half = static_cast<int64_t>(frequencies.size());
    copyToDevice(call.compute(), frequencies.data(), DType::kF64, half, call.scratch.inverseFrequencies);
    kernels::rotaryTable(call.target(), call.batch.positions, call.scratch.inverseFrequencies, half,
                         call.rotary.scaling, call.scratch.cosSin);
}

} // namespace roundpipe::model
