// SPDX-License-Identifier: GPL-3.0-or-later
// The attention half of a decoder block: what it knows of itself, and the buffers that its calls use.
//
// Shape letters: T tokens, D hidden size, H heads, G key/value heads, K head size, r rank.
#pragma once

#include "geometry/linear.h"

#include <cstdint>
#include <optional>

namespace roundpipe::geometry {

struct AttentionHalf {
    AttentionHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType);

    DType dtype;
    int64_t numHeads, numKvHeads, headDim;
    int64_t rotaryHalf;                            // see rotaryHalfOf()
    double scale;                                  // of queries times keys
    bool hasRotary = true;                         // else queries and keys stay as they are
    arch::RopeConfig rope;                         // of this block
    int64_t window = 0;                            // 0: all earlier tokens
    std::optional<TensorPlace> inputNorm, outNorm; // of what the half reads, and of what it adds
    std::optional<TensorPlace> qNorm, kNorm;
    std::optional<TensorPlace> sinks; // [H]
    bool normsAreWide;                // those of q and k: over all heads
    LinearGroup qkv, o;

    int64_t qSize() const { return numHeads * headDim; }
    int64_t kvSize() const { return numKvHeads * headDim; }

    // What backward needs of forward.
    struct Saved {
        Saved(const AttentionHalf& half, Workspace& memory, int64_t numTokens);
        Matrix qkv;                  // [T, (H + 2 G) * K]
        Matrix q, k, v;              // its columns: rotated, or before the QK-norm where there is one
        Matrix out;                  // [T, H * K] of the heads
        void* logSumExp;             // [H, T]
        Matrix qkvProduct, oProduct; // xA
        Matrix added;                // [T, D] before the norm of it, where there is one
    };
    // Of both directions.
    struct Scratch {
        Scratch(const AttentionHalf& half, Workspace& memory, int64_t numTokens);
        Matrix rotatedQ, rotatedK;  // only with a QK-norm
        double* inverseFrequencies; // [rotary half]
        Matrix cosSin;              // [T, 2 * rotary half]
    };
    // Gradients and statistics. The delta of our kernels is reserved whoever computes attention, so that one figure
    // holds for all devices.
    struct BackwardScratch {
        BackwardScratch(const AttentionHalf& half, Workspace& memory, int64_t numTokens);
        Matrix dqkv;           // [T, (H + 2 G) * K] side by side, as the linears gave them
        Matrix dOut;           // [T, H * K] in the same place: nobody reads it any more when dqkv is written
        Matrix dq, dk, dv;     // of what attention reads. Dense: cuDNN's workspace grows with their pitch
        void* rstd;            // [T]
        void* qRstd = nullptr; // [T, H] only with a QK-norm
        void* kRstd = nullptr; // [T, G] "
        void* delta;           // [H, T]
    };
};

// Half of the columns of a head that are rotated: one cosine each.
int64_t rotaryHalfOf(const arch::ModelConfig& config);

} // namespace roundpipe::geometry
