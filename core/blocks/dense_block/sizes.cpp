// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/dense_block/sizes.h"

#include "geometry/block.h"
#include "geometry/block_buffers.h"

namespace roundpipe::geometry {

using arch::TensorRole;

namespace {

LinearGroup gateUpOf(const arch::ModelConfig& config, const LayerLayout& layout) {
    if (config.fusedLinears) return {layout, {{TensorRole::kGateUp}}};
    return {layout, {{TensorRole::kGate, TensorRole::kGateBias}, {TensorRole::kUp, TensorRole::kUpBias}}};
}

} // namespace

MlpHalf::MlpHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType)
    : dtype(operandType)
    , postNorm(optionalPlace(layout, TensorRole::kPostNorm))
    , outNorm(optionalPlace(layout, TensorRole::kMlpOutNorm))
    , gateUp(gateUpOf(config, layout))
    , down(layout, {{TensorRole::kDown, TensorRole::kDownBias}}) {}

MlpHalf::Saved::Saved(const MlpHalf& half, Workspace& memory, int64_t numTokens)
    : gateUp(memory.takeMatrix(half.dtype, numTokens, half.gateUp.outFeatures()))
    , gate(columnsOf(gateUp, 0, half.width()))
    , up(columnsOf(gateUp, half.width(), half.width()))
    , gateUpProduct(half.gateUp.takeAdapterProduct(memory, half.dtype, numTokens))
    , downProduct(half.down.takeAdapterProduct(memory, half.dtype, numTokens)) {
    if (half.outNorm) added = memory.takeMatrix(half.dtype, numTokens, half.down.outFeatures());
}

MlpHalf::Scratch::Scratch(const MlpHalf& half, Workspace& memory, int64_t numTokens)
    : act(memory.takeMatrix(half.dtype, numTokens, half.width())) {}

MlpHalf::BackwardScratch::BackwardScratch(const MlpHalf& half, Workspace& memory, int64_t numTokens)
    : rstd(memory.takeMatrix(statisticsType(half.dtype), numTokens, 1).data) {}

BlockBuffers dense_block::buffers(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType,
                                  int64_t numTokens) {
    return BlockShape<MlpHalf>(config, layout, operandType).buffers(numTokens);
}

} // namespace roundpipe::geometry
