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
//     // The same of a single row, by linear.h's products for one. Nothing is kept for backward.
//     static void forwardRow(const HalfCall<Half>& call, const Matrix& out);
//     // dMiddle from dOut. Takes memory of the workspace and gives it back.
//     static void backward(const HalfCall<Half>& call, const Matrix& dOut, const Matrix& dMiddle);
template <class Second>
class HalvesBlock final : public Block {
public:
    HalvesBlock(const arch::ModelConfig& config, const geometry::LayerLayout& layout, DType operandType)
        : m_shape(config, layout, operandType), m_rotary(makeRotary(m_shape, 0)) {}

    int64_t savedBytes(int64_t numTokens, geometry::Saving saving) const override {
        return m_shape.savedBytes(numTokens, saving);
    }
    int64_t workspaceBytes(int64_t numTokens) const override { return m_shape.workspaceBytes(numTokens); }

    void forward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                 std::byte* out_TD) const override {
        runForward(compute, batch, weights, in_TD, out_TD, compute.workspace, geometry::Saving::kAll, nullptr);
    }

    void forwardSaving(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                       std::byte* out_TD, std::byte* savedData, geometry::Saving saving) const override {
        geometry::Workspace kept(savedData, savedBytes(batch.numTokens, saving));
        runForward(compute, batch, weights, in_TD, out_TD, kept, saving, nullptr);
    }

    void forwardCached(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                       std::byte* out_TD, const KvCacheView& cache) const override {
        RP_CHECK(!batch.training && batch.numSequences == 1);
        runForward(compute, batch, weights, in_TD, out_TD, compute.workspace, geometry::Saving::kAll, &cache);
    }

    void backward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                  std::byte* savedData, geometry::Saving saving, const std::byte* dOut_TD, std::byte* dIn_TD,
                  GradientView gradients) const override {
        const ComputeScope scope(compute);
        geometry::Workspace& workspace = compute.workspace;
        geometry::Workspace kept(savedData, savedBytes(batch.numTokens, saving));
        const Matrix middle = m_shape.takeMiddle(kept, batch.numTokens);
        const geometry::AttentionHalf::Saved saved(m_shape.attention, kept, batch.numTokens);
        const typename Shape::Scratch scratch(m_shape, workspace, batch.numTokens);
        const typename Shape::BackwardScratch own(m_shape, workspace, batch.numTokens);
        BlockCall call = makeCall(compute, batch, weights, middle, scratch);
        RP_CHECK(!m_shape.trainsTensors || dIn_TD != nullptr);
        if (m_shape.trainsTensors) beginBaseGradients(compute, m_shape.dtype, m_shape.gradientElements, gradients);
        call.linear.gradients = gradients;
        call.linear.mixed = static_cast<std::byte*>(own.mixed.data);
        call.linear.delta = static_cast<std::byte*>(own.delta.data);
        call.linear.wideScratch = own.wide;
        call.linear.sumParts = own.sumParts;

        const int64_t before = workspace.usedBytes();
        secondBackward(call, kept, saving, call.hidden(dOut_TD), own.dMiddle);
        workspace.reset(before);
        const geometry::AttentionHalf::Scratch ofAttention(m_shape.attention, workspace, batch.numTokens);
        Rotary stretched;
        const AttentionCall attention{call, saved, ofAttention,
                                      rotaryOf(m_shape, m_rotary, batch.maxLength, stretched)};
        makeCosSin(attention);
        const Matrix dIn = call.hidden(dIn_TD);
        attentionHalfBackward(attention, call.hidden(in_TD), own.dMiddle, dIn_TD ? &dIn : nullptr);
    }

private:
    using Half = typename Second::Half;
    using Shape = geometry::BlockShape<Half>;

    // Of longrope a cache holds one kind of keys, whatever has come so far: those of a text that fills it, as vLLM and
    // llama.cpp take it.
    int64_t longestWith(const KvCacheView& cache, int64_t numTokens) const {
        const bool isLongRope = m_shape.attention.rope.type == arch::RopeConfig::Type::kLongRope;
        return isLongRope ? cache.capacity : cache.past + numTokens;
    }

    BlockCall makeCall(Compute& compute, const BatchView& batch, const LayerWeights& weights, const Matrix& middle,
                       const typename Shape::Scratch& scratch) const {
        BlockCall call{m_shape, batch,
                       makeLinearCall(m_shape, compute, batch, weights, scratch.rowKeys, scratch.dropped), middle,
                       scratch.normed};
        call.linear.quantised = scratch.quantised;
        return call;
    }

    // The halves take turns in the workspace. `kept`: where what backward needs is taken from, gate and up excepted
    // where they are not saved; the workspace itself where none of it is.
    void runForward(Compute& compute, const BatchView& batch, const LayerWeights& weights, const std::byte* in_TD,
                    std::byte* out_TD, geometry::Workspace& kept, geometry::Saving saving,
                    const KvCacheView* cache) const {
        const ComputeScope scope(compute);
        geometry::Workspace& workspace = compute.workspace;
        const typename Shape::Scratch scratch(m_shape, workspace, batch.numTokens);
        const Matrix middle = m_shape.takeMiddle(kept, batch.numTokens);
        const BlockCall call = makeCall(compute, batch, weights, middle, scratch);

        const int64_t before = workspace.usedBytes();
        const geometry::AttentionHalf::Saved saved(m_shape.attention, kept, batch.numTokens);
        const geometry::AttentionHalf::Scratch ofAttention(m_shape.attention, workspace, batch.numTokens);
        const int64_t longest = cache ? longestWith(*cache, batch.numTokens) : batch.maxLength;
        Rotary stretched;
        const AttentionCall attention{call, saved, ofAttention, rotaryOf(m_shape, m_rotary, longest, stretched)};
        if (cache != nullptr)
            attentionHalfCached(attention, call.hidden(in_TD), *cache);
        else
            attentionHalfForward(attention, call.hidden(in_TD));
        workspace.reset(before);

        if (out_TD == nullptr && saving == geometry::Saving::kWithoutGateUp) return; // backward makes all the rest
        const typename Half::Saved savedSecond(m_shape.second, placeOfSecond(compute, kept, saving), batch.numTokens);
        const typename Half::Scratch ofSecond(m_shape.second, workspace, batch.numTokens);
        const Matrix out = call.hidden(out_TD);
        const HalfCall<Half> second{call, m_shape.second, savedSecond, ofSecond};
        if (cache != nullptr && batch.numTokens == 1)
            Second::forwardRow(second, out);
        else
            Second::forward(second, out_TD ? &out : nullptr);
    }

    void secondBackward(const BlockCall& call, geometry::Workspace& kept, geometry::Saving saving, const Matrix& dOut,
                        const Matrix& dMiddle) const {
        const int64_t numTokens = call.batch.numTokens;
        const typename Half::Saved saved(m_shape.second, placeOfSecond(call.compute(), kept, saving), numTokens);
        const typename Half::Scratch scratch(m_shape.second, call.compute().workspace, numTokens);
        const HalfCall<Half> second{call, m_shape.second, saved, scratch};
        if (saving == geometry::Saving::kWithoutGateUp) Second::forward(second, nullptr);
        Second::backward(second, dOut, dMiddle);
    }

    // What of the second half backward needs is saved, or it is scratch of backward too.
    static geometry::Workspace& placeOfSecond(Compute& compute, geometry::Workspace& kept, geometry::Saving saving) {
        RP_CHECK(saving != geometry::Saving::kInput);
        return saving == geometry::Saving::kAll ? kept : compute.workspace;
    }

    Shape m_shape;
    Rotary m_rotary; // of sequences that don't stretch it
};

} // namespace roundpipe::model
