// SPDX-License-Identifier: GPL-3.0-or-later
// The linears of a layer with their optional biases and LoRA adapters: where they lie, how large they are, and which of
// their products are one.
#pragma once

#include "geometry/layout.h"
#include "geometry/workspace.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace roundpipe::geometry {

struct LinearShape {
    // Of `role`, with the bias of `biasRole` if the layer has one.
    LinearShape(const LayerLayout& layout, arch::TensorRole role, std::optional<arch::TensorRole> biasRole);
    // Of one of several of a role. Null: without bias, not adapted.
    LinearShape(const LayerLayout& layout, const TensorPlace& weightPlace, const TensorPlace* biasPlace,
                const AdapterPlace* adapterPlace);

    TensorPlace weight;              // (out, in)
    std::optional<TensorPlace> bias; // [out]
    std::optional<AdapterPlace> adapter;
    bool isTrained = false; // weight and bias themselves (a bias never without the other)
    int64_t rank = 0;       // 0: not adapted
    double scale = 0;
    double dropout = 0;
    uint64_t moduleKey = 0; // of the dropout mask
    // In the matrices of its group: the first columns of y and of xA.
    int64_t column = 0;
    int64_t adapterColumn = 0;

    int64_t inFeatures() const { return weight.spec.shape[1]; }
    int64_t outFeatures() const { return weight.spec.shape[0]; }
};

// Weights with their biases, as one product takes them.
struct WeightRows {
    TensorPlace weight; // (out of all, in)
    std::optional<TensorPlace> bias;
    bool isTrained = false;
    int64_t column = 0; // the first of y

    int64_t outFeatures() const { return weight.spec.shape[0]; }
};

// The A of adapters, as one product takes them.
struct AdapterRows {
    int64_t offsetA = 0; // (rows, in)
    int64_t rows = 0;
    int64_t column = 0; // the first of xA
    double dropout = 0;
    uint64_t moduleKey = 0;
};

// Linears that read the same input (q, k, v; gate, up; or one alone). Their outputs are columns of one matrix y, side
// by side, and the xA of those that are adapted of another. Neighbours are multiplied in one product where they lie one
// below the other: weights with their biases and gradients, and the A of adapters but in a call with dropout, where
// each has a mask of its own and so another x. What does not lie so is multiplied by itself.
struct LinearGroup {
    struct Member {
        arch::TensorRole role;
        std::optional<arch::TensorRole> biasRole = std::nullopt;
    };
    LinearGroup(const LayerLayout& layout, std::initializer_list<Member> members);
    explicit LinearGroup(std::vector<LinearShape> members);

    std::vector<LinearShape> linears;
    std::vector<WeightRows> weights;   // in order
    std::vector<AdapterRows> adapters; // "
    std::vector<AdapterRows> apart;    // each by itself, for calls with dropout

    int64_t inFeatures() const { return linears.front().inFeatures(); }
    int64_t outFeatures() const { return weights.back().column + weights.back().outFeatures(); } // of all
    int64_t adapterColumns() const;                                                              // of xA
    // Of B behind the weights, and of xA behind x, in a forward of so many tokens: then one product gives y whole. 0: B
    // is multiplied by itself.
    int64_t appendedColumns(int64_t numTokens) const;
    bool isAdapted() const { return !adapters.empty(); }
    bool isTrained() const; // weights
    // xA [T, adapter columns], which backward needs; nothing without adapter.
    Matrix takeAdapterProduct(Workspace& memory, DType dtype, int64_t numTokens) const;
    // Columns of the operands of its widest gradient, for gradientScratchBytes().
    int64_t gradientWidth() const;
    bool mayMultiplyFp8() const { return linears.front().weight.mayMultiplyFp8; } // all or none
    // Columns of its widest input to products in FP8, forward or backward; 0 where there are none.
    int64_t codeColumns() const { return mayMultiplyFp8() ? std::max(inFeatures(), outFeatures()) : 0; }
};

// Appending costs some launches whatever the number of tokens, and saves two passes over y.
inline constexpr int64_t kTokensToAppendFor = 1024;

// Parts into which the rows of a sum over tokens are cut, each for itself, so that a GPU has work enough.
inline constexpr int64_t kSumParts = 64;
// Scratch of sums of `width` columns, for gradients of vectors: their parts. Nothing where no tensor is trained.
Matrix takeSumParts(Workspace& memory, bool trainsTensors, DType operandType, int64_t width);

// Rows of activations in FP8, for products of that type: kernels::quantiseFp8() fills them.
struct QuantisedRows {
    QuantisedRows() = default;
    // Of the widest input. Nothing where no product takes any.
    QuantisedRows(Workspace& memory, int64_t numTokens, int64_t columns);
    std::byte* codes = nullptr;
    float* scales = nullptr; // [T]
};

// Rows that a CPU widens at a time for a gradient's product: it has no product of 16-bit operands with an fp32 result.
inline constexpr int64_t kWidenedRows = 256;
// Scratch of gradient products whose operands have `width` columns together.
int64_t gradientScratchBytes(DType operandType, int64_t width);

} // namespace roundpipe::geometry
