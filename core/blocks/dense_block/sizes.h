// SPDX-License-Identifier: GPL-3.0-or-later
// The MLP half of a dense block: what it knows of itself, and the buffers that its calls use.
//
// Shape letters: T tokens, F intermediate size.
#pragma once

#include "geometry/linear.h"

#include <algorithm>
#include <optional>

namespace roundpipe::geometry {

struct MlpHalf {
    MlpHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType);

    DType dtype;
    std::optional<TensorPlace> postNorm, outNorm; // of what the half reads, and of what it adds
    LinearGroup gateUp, down;

    int64_t width() const { return down.inFeatures(); } // F
    int64_t adapterColumns() const { return std::max(gateUp.adapterColumns(), down.adapterColumns()); }
    int64_t appendedColumns(int64_t numTokens) const { return gateUp.appendedColumns(numTokens); }
    int64_t gradientWidth() const { return std::max(gateUp.gradientWidth(), down.gradientWidth()); }
    int64_t codeColumns() const { return std::max(gateUp.codeColumns(), down.codeColumns()); }

    // What backward needs of forward. The gradients of gate and up replace them.
    struct Saved {
        Saved(const MlpHalf& half, Workspace& memory, int64_t numTokens);
        Matrix gateUp;                     // [T, 2 F]
        Matrix gate, up;                   // its columns, [T, F] each
        Matrix gateUpProduct, downProduct; // xA
        Matrix added;                      // [T, D] before the norm of it, where there is one
    };
    // Of both directions.
    struct Scratch {
        Scratch(const MlpHalf& half, Workspace& memory, int64_t numTokens);
        Matrix act; // [T, F]; backward begins with the gradient of it in its place
    };
    struct BackwardScratch {
        BackwardScratch(const MlpHalf& half, Workspace& memory, int64_t numTokens);
        void* rstd; // [T] of either norm
    };
};

} // namespace roundpipe::geometry
