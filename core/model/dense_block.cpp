#include "model/dense_block.h"

#include "base/error.h"
#include "model/attention_half.h"
#include "model/compute_scope.h"
#include "model/mlp_half.h"

namespace roundpipe::model {
namespace {

using geometry::Workspace;

const uint64_t* makeDropoutKeys(const DenseShape& shape, Compute& compute, const BatchView& batch,
                                const DenseShape::Scratch& scratch) {
    if (shape.dropout == 0 || !batch.training) return nullptr;
    kernels::makeRowKeys(compute.target, batch.seed, batch.step, batch.exampleIds, batch.starts, batch.numSequences,
                         batch.positions, batch.numTokens, scratch.rowKeys);
    return scratch.rowKeys;
}

BlockCall makeCall(const DenseShape& shape, Compute& compute, const BatchView& batch, const LayerWeights& weights,
                   const DenseShape::Saved& saved, const DenseShape::Scratch& scratch) {
    RP_CHECK(compute.dtype == shape.dtype && weights.base != nullptr);
    LinearCall linear{compute, weights, {}};
    linear.rowKeys = makeDropoutKeys(shape, compute, batch, scratch);
    linear.dropped = static_cast<std::byte*>(scratch.dropped.data);
    return {shape, batch, linear, saved, scratch};
}

} // namespace

DenseBlock::DenseBlock(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType operandType)
    : m_shape(config, layout, operandType), m_rotary(makeRotary(config, 0, statisticsType(operandType))) {}

// The dynamic type alone depends on the longest sequence.
void DenseBlock::makeCosSin(Compute& compute, const BatchView& batch, int64_t longest,
                            const DenseShape::Scratch& scratch) const {
    const bool dynamic = m_shape.config.rope.type == arch::RopeConfig::Type::kDynamic;
    const Rotary stretched = dynamic ? makeRotary(m_shape.config, longest, statisticsType(m_shape.dtype)) : Rotary{};
    const Rotary& rotary = dynamic ? stretched : m_rotary;
    const geometry::AttentionHalf::Scratch& tables = scratch.attention;
    const auto half = static_cast<int64_t>(rotary.inverseFrequencies.size());
    copyToDevice(compute, rotary.inverseFrequencies.data(), DType::kF64, half, tables.inverseFrequencies);
    kernels::rotaryTable(compute.target, batch.positions, tables.inverseFrequencies, half, rotary.scaling,
                         tables.cosSin);
}

void DenseBlock::runForward(Compute& compute, const BatchView& batch, const LayerWeights& weights,
                            const std::byte* in_TD, std::byte* out_TD, const DenseShape::Saved& saved,
                            const KvCacheView* cache) const {
    const DenseShape::Scratch scratch(m_shape, compute.workspace, batch.numTokens);
    const BlockCall call = makeCall(m_shape, compute, batch, weights, saved, scratch);
    makeCosSin(compute, batch, cache ? cache->past + batch.numTokens : batch.maxLength, scratch);
    attentionHalfForward(call, call.hidden(in_TD), cache);
    mlpHalfForward(call, call.hidden(out_TD));
}

void DenseBlock::forward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                         std::byte* out_TD) const {
    const ComputeScope scope(compute);
    const DenseShape::Saved saved(m_shape, compute.workspace, batch.numTokens);
    runForward(compute, batch, weights, in_TD, out_TD, saved, nullptr);
}

void DenseBlock::forwardSaving(Compute& compute, const BatchView& batch, const LayerWeights& weights,
                               const std::byte* in_TD, std::byte* out_TD, std::byte* savedData) const {
    const ComputeScope scope(compute);
    Workspace memory(savedData, savedBytes(batch.numTokens));
    const DenseShape::Saved saved(m_shape, memory, batch.numTokens);
    runForward(compute, batch, weights, in_TD, out_TD, saved, nullptr);
}

void DenseBlock::forwardCached(Compute& compute, const BatchView& batch, const LayerWeights& weights,
                               const std::byte* in_TD, std::byte* out_TD, const KvCacheView& cache) const {
    RP_CHECK(!batch.training && batch.numSequences == 1);
    const ComputeScope scope(compute);
    const DenseShape::Saved saved(m_shape, compute.workspace, batch.numTokens);
    runForward(compute, batch, weights, in_TD, out_TD, saved, &cache);
}

void DenseBlock::backward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                          const std::byte* savedData, const std::byte* dOut_TD, std::byte* dIn_TD,
                          GradientView gradients) const {
    const ComputeScope scope(compute);
    Workspace memory(const_cast<std::byte*>(savedData), savedBytes(batch.numTokens)); // only read
    const DenseShape::Saved saved(m_shape, memory, batch.numTokens);
    const DenseShape::Scratch scratch(m_shape, compute.workspace, batch.numTokens);
    const DenseShape::BackwardScratch own(m_shape, compute.workspace, batch.numTokens);
    BlockCall call = makeCall(m_shape, compute, batch, weights, saved, scratch);
    call.linear.gradients = gradients;
    call.linear.mixed = static_cast<std::byte*>(own.mixed.data);
    call.linear.delta = static_cast<std::byte*>(own.delta.data);
    call.linear.wideScratch = own.wide;

    mlpHalfBackward(call, call.hidden(dOut_TD), own.dMiddle);
    makeCosSin(compute, batch, batch.maxLength, scratch);
    const Matrix dIn = call.hidden(dIn_TD);
    attentionHalfBackward(call, call.hidden(in_TD), own.dMiddle, dIn_TD ? &dIn : nullptr);
}

} // namespace roundpipe::model
