#include "model/block_shape.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>

namespace roundpipe::model {
namespace {

using arch::TensorRole;
using kernels::Matrix;

const TensorPlace& require(const LayerLayout& layout, TensorRole role) {
    const TensorPlace* place = layout.base.find(role);
    RP_CHECK(place != nullptr);
    return *place;
}

std::optional<TensorPlace> optionalPlace(const LayerLayout& layout, TensorRole role) {
    const TensorPlace* place = layout.base.find(role);
    return place == nullptr ? std::nullopt : std::optional<TensorPlace>(*place);
}

} // namespace

BlockShape::BlockShape(const arch::ModelConfig& modelConfig, const LayerLayout& layout, DType operandType)
    : config(modelConfig)
    , dtype(operandType)
    , inputNorm(require(layout, TensorRole::kInputNorm))
    , postNorm(require(layout, TensorRole::kPostNorm))
    , qNorm(optionalPlace(layout, TensorRole::kQNorm))
    , kNorm(optionalPlace(layout, TensorRole::kKNorm))
    , q(makeLinear(layout, TensorRole::kQ, TensorRole::kQBias))
    , k(makeLinear(layout, TensorRole::kK, TensorRole::kKBias))
    , v(makeLinear(layout, TensorRole::kV, TensorRole::kVBias))
    , o(makeLinear(layout, TensorRole::kO, TensorRole::kOBias))
    , gate(makeLinear(layout, TensorRole::kGate, TensorRole::kGateBias))
    , up(makeLinear(layout, TensorRole::kUp, TensorRole::kUpBias))
    , down(makeLinear(layout, TensorRole::kDown, TensorRole::kDownBias))
    , rank(layout.adapter.empty() ? 0 : layout.adapter.rank)
    , dropout(layout.adapter.empty() ? 0 : layout.adapter.dropout)
    , rotary(makeRotary(config, 0, kernels::statisticsType(operandType))) {
    RP_CHECK(qNorm.has_value() == kNorm.has_value());
    RP_CHECK(q.outFeatures() == qSize() && k.outFeatures() == kvSize() && v.outFeatures() == kvSize());
    const auto block = static_cast<std::size_t>(layout.spec.id.value - 1); // layer 0 is the embedding
    if (block < config.slidingWindow.size()) window = config.slidingWindow[block];
    for (const Linear* linear : {&q, &k, &v, &o, &gate, &up, &down}) {
        widestInput = std::max(widestInput, linear->inFeatures());
        widestLinear = std::max(widestLinear, linear->inFeatures() + linear->outFeatures());
    }
}

kernels::AttentionShape BlockShape::attentionShape(int64_t numSequences, int64_t maxLength) const {
    kernels::AttentionShape attention;
    attention.numSequences = numSequences;
    attention.maxLength = maxLength;
    attention.numHeads = config.numHeads;
    attention.numKvHeads = config.numKvHeads;
    attention.headDim = config.headDim;
    attention.window = window;
    attention.scale = 1.0 / std::sqrt(static_cast<double>(config.headDim));
    return attention;
}

SavedBlock::SavedBlock(const BlockShape& shape, Workspace& memory, int64_t numTokens) {
    const auto take = [&](int64_t cols) { return takeMatrix(memory, shape.dtype, numTokens, cols); };
    const auto takeProduct = [&](const Linear& linear) { return linear.adapter ? take(linear.rank) : Matrix{}; };
    q = take(shape.qSize());
    k = take(shape.kvSize());
    v = take(shape.kvSize());
    attention = take(shape.qSize());
    logSumExp = takeMatrix(memory, kernels::statisticsType(shape.dtype), shape.config.numHeads, numTokens).data;
    middle = take(shape.config.hiddenSize);
    gate = take(shape.config.intermediateSize);
    up = take(shape.config.intermediateSize);
    xA = {takeProduct(shape.q),    takeProduct(shape.k),  takeProduct(shape.v),   takeProduct(shape.o),
          takeProduct(shape.gate), takeProduct(shape.up), takeProduct(shape.down)};
}

BlockScratch::BlockScratch(const BlockShape& shape, Workspace& memory, int64_t numTokens) {
    const auto take = [&](int64_t cols) { return takeMatrix(memory, shape.dtype, numTokens, cols); };
    const auto rotaryHalf = static_cast<int64_t>(shape.rotary.inverseFrequencies.size());
    normed = take(shape.config.hiddenSize);
    act = take(shape.config.intermediateSize);
    if (shape.qNorm) {
        rotatedQ = take(shape.qSize());
        rotatedK = take(shape.kvSize());
    }
    inverseFrequencies = takeMatrix(memory, DType::kF64, 1, rotaryHalf).data;
    cosSin = takeMatrix(memory, kernels::statisticsType(shape.dtype), numTokens, 2 * rotaryHalf);
    if (shape.dropout > 0) {
        rowKeys = reinterpret_cast<uint64_t*>(memory.take(numTokens * static_cast<int64_t>(sizeof(uint64_t))));
        dropped = static_cast<std::byte*>(take(shape.widestInput).data);
    }
}

} // namespace roundpipe::model
