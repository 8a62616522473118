// SPDX-License-Identifier: GPL-3.0-or-later
#include "geometry/head.h"

#include "base/units.h"

#include <algorithm>

namespace roundpipe::geometry {
namespace {

constexpr int64_t kLogitsChunkBytes = 256 * kMiB;
constexpr int64_t kTileRows = 128; // a GPU computes products by tiles of so many rows, or a multiple

} // namespace

int64_t headChunkRows(int64_t vocabSize, int64_t numRows, DType operandType) {
    const int64_t fitting = kLogitsChunkBytes / bytesOf(operandType, vocabSize);
    const int64_t whole = fitting > kTileRows ? fitting / kTileRows * kTileRows : fitting;
    return std::clamp(whole, int64_t{1}, std::max(numRows, int64_t{1}));
}

HeadShape::HeadShape(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType)
    : dtype(operandType)
    , hiddenSize(config.hiddenSize)
    , rmsNormEps(config.rmsNormEps)
    , logitsMultiplier(config.multipliers.logits)
    , trainsTensors(layout.trainsTensors())
    , dropout(layout.adapter.empty() ? 0 : layout.adapter.dropout)
    , gradientElements(layout.gradientElements)
    , norm(layout.base.at(arch::TensorRole::kFinalNorm))
    , linear(layout, {{arch::TensorRole::kLmHead}}) {}

HeadShape::Scratch::Scratch(const HeadShape& head, Workspace& memory, int64_t numTokens, int64_t chunkRows) {
    const auto take = [&](int64_t cols) { return memory.takeMatrix(head.dtype, chunkRows, cols); };
    const auto takeStatistics = [&] { return memory.takeMatrix(statisticsType(head.dtype), chunkRows, 1).data; };
    hidden = take(head.hiddenSize);
    normed = take(head.hiddenSize);
    dNormed = take(head.hiddenSize);
    logits = take(head.vocabSize());
    product = take(head.linear.adapterColumns());
    delta = take(head.linear.adapterColumns());
    wide = memory.take(gradientScratchBytes(head.dtype, head.linear.gradientWidth()));
    sumParts = takeSumParts(memory, head.trainsTensors, head.dtype, head.hiddenSize);
    rstd = takeStatistics();
    losses = takeStatistics();
    labels = memory.takeArray<int32_t>(chunkRows);
    rows = memory.takeArray<int64_t>(numTokens);
    if (head.dropout == 0) return;
    tokenKeys = memory.takeArray<uint64_t>(numTokens);
    rowKeys = memory.takeArray<uint64_t>(chunkRows);
    dropped = take(head.hiddenSize);
    mixed = take(head.hiddenSize);
}

HeadShape::ChosenScratch::ChosenScratch(const HeadShape& head, Workspace& memory, int64_t numRows)
    : normed(memory.takeMatrix(head.dtype, numRows, head.hiddenSize))
    , product(memory.takeMatrix(head.dtype, numRows, head.linear.adapterColumns())) {}

int64_t HeadShape::workspaceBytes(int64_t numTokens) const {
    Workspace loss;
    Scratch(*this, loss, numTokens, headChunkRows(vocabSize(), numTokens, dtype));
    return std::max(loss.usedBytes(), counted<ChosenScratch>(*this, numTokens));
}

} // namespace roundpipe::geometry
