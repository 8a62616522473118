// SPDX-License-Identifier: GPL-3.0-or-later
// The experts in the place of a sparse block's MLP: what they know of themselves, and the buffers that their calls use.
//
// Shape letters: T tokens, D hidden size, E experts, A experts of a token, R = T * A rows that experts compute, F
// intermediate size of one, S of the shared one.
#pragma once

#include "geometry/linear.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace roundpipe::geometry {

// An expert that every token goes through, beside those that it is routed to. What it gives is weighted by the sigmoid
// of a linear.
struct SharedExpert {
    SharedExpert(const LayerLayout& layout, DType operandType);

    DType dtype;
    LinearGroup gateUp, down, gate; // gate: (1, D), of the weight

    int64_t width() const { return down.inFeatures(); } // S
    int64_t adapterColumns() const {
        return std::max({gateUp.adapterColumns(), down.adapterColumns(), gate.adapterColumns()});
    }
    int64_t gradientWidth() const {
        return std::max({gateUp.gradientWidth(), down.gradientWidth(), gate.gradientWidth()});
    }
    int64_t codeColumns() const { return std::max({gateUp.codeColumns(), down.codeColumns(), gate.codeColumns()}); }

    // What backward needs of forward. The gradients of gate and up replace them.
    struct Saved {
        Saved(const SharedExpert& expert, Workspace& memory, int64_t numTokens);
        Matrix weights;                                 // [T, 1]
        Matrix gateUp;                                  // [T, 2 S]
        Matrix gate, up;                                // its columns, [T, S] each
        Matrix gateUpProduct, downProduct, gateProduct; // xA
    };
};

// What stacked experts have beside their linears: biases, [E, 2 F] and [E, D], and gates in the even columns of what
// gate and up give together, ups in the odd ones.
struct StackedExperts {
    TensorPlace gateUpBias, downBias;
};

struct ExpertsHalf {
    ExpertsHalf(const arch::ModelConfig& config, const LayerLayout& layout, DType operandType);

    DType dtype;
    int64_t hiddenSize;
    arch::ExpertsConfig config;
    TensorPlace postNorm;
    LinearGroup router;
    std::vector<LinearGroup> gateUp, down; // of each expert
    std::optional<StackedExperts> stack;
    std::optional<SharedExpert> shared;
    bool drops = false;                         // their adapters' inputs
    bool needsRows = false;                     // inputs of gate and up in backward, for gradients of theirs
    bool trainsDown = false;                    // itself
    int64_t gateUpColumns = 0, downColumns = 0; // of xA, the most of an expert

    int64_t width() const { return std::max(config.intermediateSize, shared ? shared->width() : 0); }
    // Of the block's scratch: routed experts have their own.
    int64_t adapterColumns() const { return shared ? shared->adapterColumns() : 0; }
    int64_t appendedColumns(int64_t numTokens) const { return shared ? shared->gateUp.appendedColumns(numTokens) : 0; }
    int64_t gradientWidth() const;
    int64_t codeColumns() const { return shared ? shared->codeColumns() : 0; } // products of experts take none

    // What backward needs of forward. The gradients of gate and up replace them.
    struct Saved {
        Saved(const ExpertsHalf& half, Workspace& memory, int64_t numTokens);
        Matrix probabilities;                       // [T, E] of the router, statistics type
        Matrix weights;                             // [T, A] of the choices
        int32_t *choices, *starts, *rows, *sources; // of kernels::Routing
        Matrix gateUp;                              // [R, 2 F]
        Matrix gate, up;                            // its columns, [R, F] each; of stacked experts they alternate
        Matrix gateUpProduct, downProduct;          // xA
        std::optional<SharedExpert::Saved> shared;
    };
    // Of both directions.
    struct Scratch {
        Scratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens);
        Matrix logits;               // [T, E]; backward: their gradient
        Matrix act;                  // [R, F]; backward begins with the gradient of it in its place
        Matrix routed;               // [R, D] what goes into experts, then what comes out; backward: its gradient first
        Matrix sharedAct;            // [T, S] as act
        uint64_t* rowKeys = nullptr; // [R] only with dropout
    };
    struct BackwardScratch {
        BackwardScratch(const ExpertsHalf& half, Workspace& memory, int64_t numTokens);
        void* rstd = nullptr;  // [T]
        Matrix dWeights;       // [T, A]
        Matrix dSharedWeights; // [T, 1]
        Matrix delta;          // [R, adapter columns]
        Matrix dRouted;        // [R, D] the gradient of what goes into experts; only where it needs a place of its own
    };

private:
    void takeLinears(const LayerLayout& layout);
    void takeStack(const LayerLayout& layout);
};

} // namespace roundpipe::geometry
