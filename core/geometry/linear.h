// SPDX-License-Identifier: GPL-3.0-or-later
// One linear of a layer with its optional bias and LoRA adapter: where they lie and how large they are.
#pragma once

#include "geometry/layout.h"
#include "geometry/workspace.h"

#include <cstdint>
#include <optional>

namespace roundpipe::geometry {

struct LinearShape {
    // Of `role`, with the bias of `biasRole` if the layer has one.
    LinearShape(const LayerLayout& layout, arch::TensorRole role, std::optional<arch::TensorRole> biasRole);

    TensorPlace weight;              // (out, in)
    std::optional<TensorPlace> bias; // [out]
    std::optional<AdapterPlace> adapter;
    bool isTrained = false; // weight and bias themselves (a bias never without the other)
    int64_t rank = 0;       // 0: not adapted
    double scale = 0;
    double dropout = 0;
    uint64_t moduleKey = 0; // of the dropout mask

    int64_t inFeatures() const { return weight.spec.shape[1]; }
    int64_t outFeatures() const { return weight.spec.shape[0]; }
    // x A [T, r], which backward needs; nothing without adapter.
    Matrix takeAdapterProduct(Workspace& memory, DType dtype, int64_t numTokens) const;
};

// Parts into which the rows of a sum over tokens are cut, each for itself, so that a GPU has work enough.
inline constexpr int64_t kSumParts = 64;
// Scratch of sums of `width` columns, for gradients of vectors: their parts. Nothing where no tensor is trained.
Matrix takeSumParts(Workspace& memory, bool trainsTensors, DType operandType, int64_t width);

// Rows that a CPU widens at a time for a gradient's product: it has no product of 16-bit operands with an fp32 result.
inline constexpr int64_t kWidenedRows = 256;
// Scratch of gradient products whose operands have `width` columns together.
int64_t gradientScratchBytes(DType operandType, int64_t width);

} // namespace roundpipe::geometry
