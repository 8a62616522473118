// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/sparse_block/sizes.h"

#include "geometry/block.h"
#include "geometry/block_buffers.h"

#include <set>

namespace roundpipe::geometry {

ExpertsHalf::ExpertsHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType)
    : dtype(operandType), hiddenSize(config.hiddenSize), experts(config.experts), rank(layout.adapter.rank) {
    std::set<arch::TensorRole> adapted;
    for (const AdapterPlace& place : layout.adapter.linears)
        if (place.linear.ofExpert) adapted.insert(place.linear.role);
    numAdapted = static_cast<int64_t>(adapted.size());
}

namespace {

void takeRows(const ExpertsHalf& half, Workspace& memory, int64_t numTokens, DType dtype, int64_t cols) {
    memory.takeMatrix(dtype, numTokens * half.experts.perToken, cols);
}

} // namespace

ExpertsHalf::Saved::Saved(const ExpertsHalf& half, Workspace& memory, int64_t numTokens) {
    for (int i = 0; i < 2; ++i)
        takeRows(half, memory, numTokens, half.dtype, half.width());
    for (int64_t i = 0; i < half.numAdapted; ++i)
        takeRows(half, memory, numTokens, half.dtype, half.rank);
    memory.takeMatrix(statisticsType(half.dtype), numTokens, half.experts.count);
    for (int i = 0; i < 2; ++i)
        takeRows(half, memory, numTokens, DType::kI32, 1);
}

ExpertsHalf::Scratch::Scratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens) {
    takeRows(half, memory, numTokens, half.dtype, half.width());
    takeRows(half, memory, numTokens, half.dtype, half.hiddenSize);
}

ExpertsHalf::BackwardScratch::BackwardScratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens) {
    memory.takeMatrix(statisticsType(half.dtype), numTokens, 1);
    takeRows(half, memory, numTokens, half.dtype, half.hiddenSize);
    memory.takeMatrix(statisticsType(half.dtype), numTokens, half.experts.count);
}

BlockBuffers sparse_block::buffers(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType,
                                   int64_t numTokens) {
    return BlockShape<ExpertsHalf>(config, layout, operandType).buffers(numTokens);
}

} // namespace roundpipe::geometry
