// SPDX-License-Identifier: GPL-3.0-or-later
// The decoder block of attention and a half that its type computes. Internal to the folder and to those of types.
#pragma once

#include "base/error.h"
#include "model/block/attention_half.h"
#include "model/block/block.h"
#include "model/compute/compute_scope.h"

namespace roundpipe::model {

// What a type's half sees of a call.
template <class Half>
struct HalfCall {
    const BlockCall& block;
    const Half& half;
    const typename Half::Saved& saved;
    const typename Half::Scratch& scratch;
};

// `Second` has
//     using Half = …; // its buffers, as BlockShape takes them
//     // out = middle + half(norm(middle)). Null: only what backward needs.
//     static void forward(const HalfCall<Half>& call, const Matrix* out);
//     // dMiddle from dOut. Takes memory of the workspace and gives it back.
//     static void backward(const HalfCall<Half>& call, const Matrix& dOut, const Matrix& dMiddle);
template <class Second>
class HalvesBlock final : public Block {
public:
    HalvesBlock(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType operandType)
        : m_shape(config, layout, operandType), m_rotary(makeRotary(config, 0, statisticsType(operandType))) {}

    int64_t savedBytes(int64_t numTokens) const override { return m_shape.savedBytes(numTokens); }
    int64_t workspaceBytes(int64_t numTokens) const override { return m_shape.workspaceBytes(numTokens); }

    void forward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                 std::byte* out_TD) const override {
        const ComputeScope scope(compute);
        const Saved saved(m_shape, compute.workspace, batch.numTokens);
        runForward(compute, batch, weights, in_TD, out_TD, saved, nullptr);
    }

    void forwardSaving(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                       std::byte* out_TD, std::byte* savedData) const override {
        const ComputeScope scope(compute);
        geometry::Workspace memory(savedData, savedBytes(batch.numTokens));
        const Saved saved(m_shape, memory, batch.numTokens);
        runForward(compute, batch, weights, in_TD, out_TD, saved, nullptr);
    }

    void forwardCached(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                       std::byte* out_TD, const KvCacheView& cache) const override {
        RP_CHECK(!batch.training && batch.numSequences == 1);
        const ComputeScope scope(compute);
        const Saved saved(m_shape, compute.workspace, batch.numTokens);
        runForward(compute, batch, weights, in_TD, out_TD, saved, &cache);
    }

    void backward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                  const std::byte* savedData, const std::byte* dOut_TD, std::byte* dIn_TD,
                  GradientView gradients) const override {
        const ComputeScope scope(compute);
        // Only read.
        geometry::Workspace memory(const_cast<std::byte*>(savedData), savedBytes(batch.numTokens));
        const Saved saved(m_shape, memory, batch.numTokens);
        const Scratch scratch(m_shape, compute.workspace, batch.numTokens);
        const typename Shape::BackwardScratch own(m_shape, compute.workspace, batch.numTokens);
        BlockCall call = makeCall(compute, batch, weights, saved, scratch);
        RP_CHECK(!m_shape.trainsBase || dIn_TD != nullptr);
        if (m_shape.trainsBase) beginBaseGradients(compute, m_shape.dtype, m_shape.gradientElements, gradients);
        call.linear.gradients = gradients;
        call.linear.mixed = static_cast<std::byte*>(own.mixed.data);
        call.linear.delta = static_cast<std::byte*>(own.delta.data);
        call.linear.wideScratch = own.wide;
        call.linear.sumParts = own.sumParts;

        Second::backward({call, m_shape.second, saved.second, scratch.second}, call.hidden(dOut_TD), own.dMiddle);
        makeCosSin(call, m_rotary, batch.maxLength);
        const Matrix dIn = call.hidden(dIn_TD);
        attentionHalfBackward(call, call.hidden(in_TD), own.dMiddle, dIn_TD ? &dIn : nullptr);
    }

private:
    using Shape = geometry::BlockShape<typename Second::Half>;
    using Saved = typename Shape::Saved;
    using Scratch = typename Shape::Scratch;

    BlockCall makeCall(Compute& compute, const BatchView& batch, const LayerWeights& weights, const Saved& saved,
                       const Scratch& scratch) const {
        return {m_shape,
                batch,
                makeLinearCall(m_shape, compute, batch, weights, scratch.rowKeys, scratch.dropped),
                saved.attention,
                scratch.attention,
                saved.middle,
                scratch.normed};
    }

    void runForward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                    std::byte* out_TD, const Saved& saved, const KvCacheView* cache) const {
        const Scratch scratch(m_shape, compute.workspace, batch.numTokens);
        const BlockCall call = makeCall(compute, batch, weights, saved, scratch);
        makeCosSin(call, m_rotary, cache ? cache->past + batch.numTokens : batch.maxLength);
        attentionHalfForward(call, call.hidden(in_TD), cache);
        const Matrix out = call.hidden(out_TD);
        Second::forward({call, m_shape.second, saved.second, scratch.second}, out_TD ? &out : nullptr);
    }

    Shape m_shape;
    Rotary m_rotary; // of sequences that don't stretch the dynamic type
};

} // namespace roundpipe::model
