// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/attention.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::geometry {
namespace {

using arch::TensorRole;

LinearGroup qkvOf(const arch::ModelConfig& config, const LayerLayout& layout) {
    if (config.fusedLinears) return {layout, {{TensorRole::kQkv}}};
    return {layout,
            {{TensorRole::kQ, TensorRole::kQBias},
             {TensorRole::kK, TensorRole::kKBias},
             {TensorRole::kV, TensorRole::kVBias}}};
}

} // namespace

AttentionHalf::AttentionHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType)
    : dtype(operandType)
    , numHeads(config.numHeads)
    , numKvHeads(config.numKvHeads)
    , headDim(config.headDim)
    , rotaryHalf(rotaryHalfOf(config))
    , scale(config.multipliers.attention.value_or(1.0 / std::sqrt(static_cast<double>(config.headDim))))
    , inputNorm(optionalPlace(layout, TensorRole::kInputNorm))
    , outNorm(optionalPlace(layout, TensorRole::kAttentionOutNorm))
    , qNorm(optionalPlace(layout, TensorRole::kQNorm))
    , kNorm(optionalPlace(layout, TensorRole::kKNorm))
    , sinks(optionalPlace(layout, TensorRole::kSinks))
    , normsAreWide(config.qkNormIsWide)
    , qkv(qkvOf(config, layout))
    , o(layout, {{TensorRole::kO, TensorRole::kOBias}}) {
    RP_CHECK(qNorm.has_value() == kNorm.has_value());
    RP_CHECK(qkv.outFeatures() == qSize() + 2 * kvSize());
    const auto block = static_cast<std::size_t>(layout.spec.id.value - 1); // layer 0 is the embedding
    if (block < config.withoutRotary.size()) hasRotary = !config.withoutRotary[block];
    if (block < config.slidingWindow.size()) window = config.slidingWindow[block];
    rope = config.ropeOf(static_cast<int64_t>(block));
}

int64_t rotaryHalfOf(const arch::ModelConfig& config) {
    const auto columns = static_cast<int64_t>(static_cast<double>(config.headDim) * config.rope.partialRotaryFactor);
    RP_CHECK(columns >= 2 && columns % 2 == 0);
    return columns / 2;
}

AttentionHalf::Saved::Saved(const AttentionHalf& half, Workspace& memory, int64_t numTokens) {
    const auto take = [&](int64_t cols) { return memory.takeMatrix(half.dtype, numTokens, cols); };
    qkv = take(half.qkv.outFeatures());
    q = columnsOf(qkv, 0, half.qSize());
    k = columnsOf(qkv, half.qSize(), half.kvSize());
    v = columnsOf(qkv, half.qSize() + half.kvSize(), half.kvSize());
    out = take(half.qSize());
    logSumExp = memory.takeMatrix(statisticsType(half.dtype), half.numHeads, numTokens).data;
    qkvProduct = half.qkv.takeAdapterProduct(memory, half.dtype, numTokens);
    oProduct = half.o.takeAdapterProduct(memory, half.dtype, numTokens);
    if (half.outNorm) added = take(half.o.outFeatures());
}

AttentionHalf::Scratch::Scratch(const AttentionHalf& half, Workspace& memory, int64_t numTokens) {
    if (half.qNorm) {
        rotatedQ = memory.takeMatrix(half.dtype, numTokens, half.qSize());
        rotatedK = memory.takeMatrix(half.dtype, numTokens, half.kvSize());
    }
    inverseFrequencies = memory.takeArray<double>(half.rotaryHalf);
    cosSin = memory.takeMatrix(statisticsType(half.dtype), numTokens, 2 * half.rotaryHalf);
}

AttentionHalf::BackwardScratch::BackwardScratch(const AttentionHalf& half, Workspace& memory, int64_t numTokens)
    : dqkv(memory.takeMatrix(half.dtype, numTokens, half.qkv.outFeatures()))
    , dOut(dense(dqkv.data, half.dtype, numTokens, half.qSize()))
    , dq(memory.takeMatrix(half.dtype, numTokens, half.qSize()))
    , dk(memory.takeMatrix(half.dtype, numTokens, half.kvSize()))
    , dv(memory.takeMatrix(half.dtype, numTokens, half.kvSize())) {
    const auto takeStatistics = [&](int64_t perToken) {
        return memory.takeMatrix(statisticsType(half.dtype), numTokens, perToken).data;
    };
    rstd = takeStatistics(1);
    if (half.qNorm) {
        qRstd = takeStatistics(half.numHeads);
        kRstd = takeStatistics(half.numKvHeads);
    }
    delta = takeStatistics(half.numHeads);
}

} // namespace roundpipe::geometry
