#include "base/error.h"
#include "model/block_shape.h"
#include "model/compute_scope.h"

#include <algorithm>

namespace roundpipe::model {
namespace {

using kernels::Matrix;

// What backward needs beside BlockScratch.
struct BackwardScratch {
    BackwardScratch(const BlockShape& shape, Workspace& memory, int64_t numTokens)
        : dMiddle(takeMatrix(memory, shape.dtype, numTokens, shape.config.hiddenSize))
        , delta(takeMatrix(memory, shape.dtype, numTokens, shape.rank))
        , wide(memory.take(gradientScratchBytes(shape.dtype, shape.widestLinear + shape.rank))) {
        if (shape.dropout > 0) mixed = takeMatrix(memory, shape.dtype, numTokens, shape.widestInput);
    }

    Matrix dMiddle, delta, mixed;
    std::byte* wide;
};

// The dynamic type alone depends on the longest sequence.
void makeCosSin(const BlockShape& shape, Compute& compute, const BatchView& batch, int64_t longest,
                const BlockScratch& scratch) {
    const bool dynamic = shape.config.rope.type == arch::RopeConfig::Type::kDynamic;
    const Rotary stretched =
        dynamic ? makeRotary(shape.config, longest, kernels::statisticsType(shape.dtype)) : Rotary{};
    const Rotary& rotary = dynamic ? stretched : shape.rotary;
    const auto half = static_cast<int64_t>(rotary.inverseFrequencies.size());
    copyToDevice(compute, rotary.inverseFrequencies.data(), DType::kF64, half, scratch.inverseFrequencies);
    kernels::rotaryTable(compute.target, batch.positions, static_cast<const double*>(scratch.inverseFrequencies), half,
                         rotary.scaling, scratch.cosSin);
}

const uint64_t* makeDropoutKeys(const BlockShape& shape, Compute& compute, const BatchView& batch,
                                const BlockScratch& scratch) {
    if (shape.dropout == 0 || !batch.training) return nullptr;
    kernels::makeRowKeys(compute.target, batch.seed, batch.step, batch.exampleIds, batch.starts, batch.numSequences,
                         batch.positions, batch.numTokens, scratch.rowKeys);
    return scratch.rowKeys;
}

BlockCall makeCall(const BlockShape& shape, Compute& compute, const BatchView& batch, const LayerWeights& weights,
                   const SavedBlock& saved, const BlockScratch& scratch) {
    RP_CHECK(compute.dtype == shape.dtype && weights.base != nullptr);
    LinearCall linear{compute, weights, {}};
    linear.rowKeys = makeDropoutKeys(shape, compute, batch, scratch);
    linear.dropped = scratch.dropped;
    return {shape, batch, linear, saved, scratch};
}

void runForward(const BlockShape& shape, Compute& compute, const BatchView& batch, const LayerWeights& weights,
                const std::byte* in, std::byte* out, const SavedBlock& saved, const KvCacheView* cache) {
    const BlockScratch scratch(shape, compute.workspace, batch.numTokens);
    const BlockCall call = makeCall(shape, compute, batch, weights, saved, scratch);
    makeCosSin(shape, compute, batch, cache ? cache->past + batch.numTokens : batch.maxLength, scratch);
    attentionPartForward(call, call.hidden(in), cache);
    mlpPartForward(call, call.hidden(out));
}

} // namespace

Block::Block(const arch::ModelConfig& config, LayerLayout layout, DType operandType)
    : m_shape(std::make_unique<BlockShape>(config, layout, operandType)) {}

Block::~Block() = default;

int64_t Block::savedBytes(int64_t numTokens) const {
    Workspace counting;
    const SavedBlock saved(*m_shape, counting, numTokens);
    return counting.usedBytes();
}

int64_t Block::workspaceBytes(int64_t numTokens, int64_t numSequences, int64_t maxLength) const {
    Workspace forwardCount, backwardCount;
    const SavedBlock saved(*m_shape, forwardCount, numTokens);
    const BlockScratch forwardScratch(*m_shape, forwardCount, numTokens);
    const BlockScratch scratch(*m_shape, backwardCount, numTokens);
    const BackwardScratch backwardScratch(*m_shape, backwardCount, numTokens);
    const int64_t parts = std::max(mlpPartBackwardBytes(*m_shape, numTokens),
                                   attentionPartBackwardBytes(*m_shape, numTokens, numSequences, maxLength));
    return std::max(forwardCount.usedBytes(), backwardCount.usedBytes() + parts);
}

void Block::forward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                    std::byte* out_TD) const {
    const ComputeScope scope(compute);
    const SavedBlock saved(*m_shape, compute.workspace, batch.numTokens);
    runForward(*m_shape, compute, batch, weights, in_TD, out_TD, saved, nullptr);
}

void Block::forwardSaving(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                          std::byte* out_TD, std::byte* savedData) const {
    const ComputeScope scope(compute);
    Workspace memory(savedData, savedBytes(batch.numTokens));
    const SavedBlock saved(*m_shape, memory, batch.numTokens);
    runForward(*m_shape, compute, batch, weights, in_TD, out_TD, saved, nullptr);
}

void Block::forwardCached(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                          std::byte* out_TD, const KvCacheView& cache) const {
    RP_CHECK(!batch.training && batch.numSequences == 1);
    const ComputeScope scope(compute);
    const SavedBlock saved(*m_shape, compute.workspace, batch.numTokens);
    runForward(*m_shape, compute, batch, weights, in_TD, out_TD, saved, &cache);
}

void Block::backward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                     const std::byte* savedData, const std::byte* dOut_TD, std::byte* dIn_TD,
                     GradientView gradients) const {
    const ComputeScope scope(compute);
    Workspace memory(const_cast<std::byte*>(savedData), savedBytes(batch.numTokens)); // only read
    const SavedBlock saved(*m_shape, memory, batch.numTokens);
    const BlockScratch scratch(*m_shape, compute.workspace, batch.numTokens);
    const BackwardScratch own(*m_shape, compute.workspace, batch.numTokens);
    BlockCall call = makeCall(*m_shape, compute, batch, weights, saved, scratch);
    call.linear.gradients = gradients;
    call.linear.mixed = static_cast<std::byte*>(own.mixed.data);
    call.linear.delta = static_cast<std::byte*>(own.delta.data);
    call.linear.wideScratch = own.wide;

    mlpPartBackward(call, compute.workspace, call.hidden(dOut_TD), own.dMiddle);
    makeCosSin(*m_shape, compute, batch, batch.maxLength, scratch);
    const Matrix dIn = call.hidden(dIn_TD);
    attentionPartBackward(call, compute.workspace, call.hidden(in_TD), own.dMiddle, dIn_TD ? &dIn : nullptr);
}

} // namespace roundpipe::model
