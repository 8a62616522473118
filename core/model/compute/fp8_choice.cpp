// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/compute/fp8_choice.h"

#include "base/log.h"
#include "model/compute/compute_scope.h"
#include "model/compute/cublas_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace roundpipe::model {
namespace {

constexpr int32_t kAda = 89; // the first compute capability with FP8 units

using Sides = std::set<std::pair<int64_t, int64_t>>; // (outs, ins)

// Of weights as forward multiplies them, and as backward does.
Sides sidesOf(std::span<const geometry::LayerLayout> layouts) {
    Sides sides;
    for (const geometry::LayerLayout& layout : layouts)
        for (const geometry::TensorPlace& place : layout.base.tensors) {
            if (!place.mayMultiplyFp8) continue;
            sides.emplace(place.rows(), place.spec.shape.back());
            sides.emplace(place.spec.shape.back(), place.rows());
        }
    return sides;
}

bool hasAll(const Sides& sides, DType dtype, bool isScaled) {
    constexpr std::array<int64_t, 4> kRows = {1, 17, 1000, 8192}; // of microbatches: any number of tokens
    return std::ranges::all_of(sides, [&](const auto& side) {
        return std::ranges::all_of(
            kRows, [&](int64_t rows) { return cublasHasFp8Product(rows, side.first, side.second, dtype, isScaled); });
    });
}

} // namespace

Fp8Products chooseFp8Products(Compute& compute, std::span<const geometry::LayerLayout> layouts) {
    const Sides sides = sidesOf(layouts);
    if (sides.empty() || !compute.target.cuda) return Fp8Products::kNone;
    const auto say = [&](const char* what) {
        log::info(fmt::format("GPU {}: weights in FP8 are {}.", compute.cudaIndex, what));
    };
    if (compute.computeCapability < kAda || compute.dtype != DType::kBF16) {
        say(compute.dtype != DType::kBF16 ? "unpacked: only a run in bf16 multiplies them as they are"
                                          : "unpacked: it has no FP8 units");
        return Fp8Products::kNone;
    }
    const ComputeScope scope(compute); // cuBLAS answers for the thread's device
    for (const auto& [products, words] : {std::pair{Fp8Products::kScaled, "multiplied as they are, scaled by cuBLAS"},
                                          {Fp8Products::kScaledAfter, "multiplied as they are, and scaled afterwards"}})
        if (hasAll(sides, compute.dtype, products == Fp8Products::kScaled)) {
            say(words);
            return products;
        }
    say("unpacked: its cuBLAS has no FP8 products for them");
    return Fp8Products::kNone;
}

} // namespace roundpipe::model
