// SPDX-License-Identifier: GPL-3.0-or-later
// One call of a block of attention and another half, as both see it. Internal to the folder and to those of types.
#pragma once

#include "geometry/block.h"
#include "model/attention/rotary.h"
#include "model/compute/batch_view.h"
#include "model/compute/linear.h"

#include <optional>

namespace roundpipe::model {

struct BlockCall {
    const geometry::BlockTrunk& shape;
    const BatchView& batch;
    LinearCall linear;
    Matrix middle; // [T, D] hidden states between the halves, which backward needs
    Matrix normed; // [T, D] for whoever needs it

    Compute& compute() const { return linear.compute; }
    const kernels::Target& target() const { return linear.compute.target; }
    const LayerWeights& weights() const { return linear.weights; }
    Matrix hidden(const std::byte* data) const {
        return dense(data, shape.dtype, batch.numTokens, shape.config.hiddenSize);
    }
};

// What the attention half sees of it.
struct AttentionCall : BlockCall {
    const geometry::AttentionHalf::Saved& saved;
    const geometry::AttentionHalf::Scratch& scratch;
    const Rotary& rotary;
};

// What the linears of a call share. `rowKeys` and `dropped`: scratch, only with dropout.
LinearCall makeLinearCall(const geometry::BlockTrunk& shape, Compute& compute, const BatchView& batch,
                          const LayerWeights& weights, uint64_t* rowKeys, const Matrix& dropped);
// The frequencies of a block for a longest sequence of so many tokens; all 0, so that nothing turns, where it has no
// rotary.
Rotary makeRotary(const geometry::BlockTrunk& shape, int64_t longest);
// Those of a call whose longest sequence has so many tokens: `usual`, of sequences that don't stretch them,
// or what is made in `stretched` for it.
const Rotary& rotaryOf(const geometry::BlockTrunk& shape, const Rotary& usual, int64_t longest, Rotary& stretched);
// What gates go through.
kernels::Activation gateOf(const BlockCall& call);
// The norm in front of a half or behind it; nothing where the model has none there.
using OptionalNorm = std::optional<geometry::TensorPlace>;
// What a half reads: call.normed = norm(x), or x, for linears append columns there. rstd [T] may be null.
void normInto(const BlockCall& call, const OptionalNorm& norm, const Matrix& x, void* rstd);
// The same of a single row, on the way.
kernels::RowInput rowInput(const BlockCall& call, const OptionalNorm& norm, const Matrix& x);
// From the gradient of what a half reads, in dx, that of x, and `dOut` beside it, which went around the half.
void normBackward(const BlockCall& call, const OptionalNorm& norm, const Matrix& x, const void* rstd,
                  const Matrix& dOut, const Matrix& dx);
// What a half adds to what it was given: out = in + multiplier * norm(added). Without a norm `added` is `out`.
void addTo(const BlockCall& call, const Matrix& in, const OptionalNorm& norm, const Matrix& added, const Matrix& out);
// The same of a single row, of what `group` gives for `x`; `added`: where there is a norm.
void addRowTo(const BlockCall& call, const Matrix& in, const OptionalNorm& norm, const LinearGroup& group,
              const kernels::RowInput& x, const Matrix& xA, const Matrix& added, const Matrix& out);
// The gradient of what the half's last linear gave, from the sum's: that itself, or what is made of it in call.normed.
// rstd [T] is scratch.
Matrix gradientOfAdded(const BlockCall& call, const OptionalNorm& norm, const Matrix& added, void* rstd,
                       const Matrix& dOut);
// Fills the cosines and sines of the positions.
void makeCosSin(const AttentionCall& call);

} // namespace roundpipe::model
