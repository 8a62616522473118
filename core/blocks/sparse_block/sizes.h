// SPDX-License-Identifier: GPL-3.0-or-later
// The experts in the place of a sparse block's MLP. An estimate, because no engine runs them yet: routed copies of the
// rows where a dense block has the rows themselves.
//
// Shape letters: T tokens, D hidden size, E experts, A experts of a token, F intermediate size of one, r rank.
#pragma once

#include "geometry/linear.h"

#include <algorithm>

namespace roundpipe::geometry {

struct ExpertsHalf {
    ExpertsHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType);

    DType dtype;
    int64_t hiddenSize;
    arch::ExpertsConfig experts;
    int64_t rank;
    int64_t numAdapted; // kinds of linears: gate, up, down

    int64_t width() const { return experts.intermediateSize; } // F
    int64_t adapterColumns() const { return numAdapted > 0 ? rank : 0; }
    int64_t appendedColumns(int64_t) const { return 0; }
    int64_t gradientWidth() const { return numAdapted > 0 ? std::max(hiddenSize, width()) + rank : 0; }

    // gate, up [T * A, F], which their gradients replace; xA [T * A, r]; routing weights [T, E]; where each routed row
    // comes from and goes to [T * A].
    struct Saved {
        Saved(const ExpertsHalf& half, Workspace& memory, int64_t numTokens);
    };
    // act [T * A, F], gathered rows [T * A, D]
    struct Scratch {
        Scratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens);
    };
    // rstd [T]; gradients of the gathered rows [T * A, D] and of the routing weights [T,
    // E]
    struct BackwardScratch {
        BackwardScratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens);
    };
};

} // namespace roundpipe::geometry
