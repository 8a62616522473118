// SPDX-License-Identifier: GPL-3.0-or-later
// The MLP half of a dense block: what it knows of itself, and the buffers that its calls use.
//
// Shape letters: T tokens, F intermediate size, r rank.
#pragma once

#include "geometry/linear.h"

namespace roundpipe::geometry {

struct MlpHalf {
    MlpHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType);

    DType dtype;
    TensorPlace postNorm;
    LinearShape gate, up, down;

    int64_t width() const { return gate.outFeatures(); } // F

    // What backward needs of forward. The gradients of gate and up replace them.
    struct Saved {
        Saved(const MlpHalf& half, Workspace& memory, int64_t numTokens);
        Matrix gate, up;                            // [T, F]
        Matrix gateProduct, upProduct, downProduct; // xA [T, r]
    };
    // Of both directions.
    struct Scratch {
        Scratch(const MlpHalf& half, Workspace& memory, int64_t numTokens);
        Matrix act; // [T, F]; backward begins with the gradient of it in its place
    };
    struct BackwardScratch {
        BackwardScratch(const MlpHalf& half, Workspace& memory, int64_t numTokens);
        void* rstd; // [T]
    };
};

} // namespace roundpipe::geometry
