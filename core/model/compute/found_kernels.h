// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that trials found the fastest (kernel_trials.h), of all devices of this process: what one of them found
// another of its kind need not time again, nor the next run, for which the engine keeps them. Any thread.
#pragma once

#include "model/compute/kernel_trials.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::model {

// Products that share what is found out: of the same types, each size within a quarter.
struct ProductClass {
    std::array<int64_t, 3> sizes; // rows, columns, inner; each rounded up
    std::array<int32_t, 6> ways;  // types, transposed, bias, scales
    auto operator<=>(const ProductClass&) const = default;
};

struct FoundKernel {
    std::string device; // the GPU's name and the library's version: kernels of others have other times
    ProductClass products;
    KernelKind kind;
    auto operator<=>(const FoundKernel&) const = default;
};

std::optional<KernelKind> foundKernel(const std::string& device, const ProductClass& products);
// Replaces what was known of these products.
void putFoundKernel(const FoundKernel& found);
std::vector<FoundKernel> allFoundKernels(); // in order, those of one device together

} // namespace roundpipe::model
