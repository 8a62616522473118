// SPDX-License-Identifier: GPL-3.0-or-later
// NF4 with double quantisation, as QLoRA (Dettmers et al., 2023) describes it and bitsandbytes stores it: 16 values
// that are equally likely of a normal distribution, times the largest magnitude of a block of 64 values, in the order
// of rows. These magnitudes, less their mean over the tensor, are stored in an 8-bit code each, times the largest of
// 256.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace roundpipe {

inline constexpr int64_t kNf4Block = 64;   // values with a magnitude in common
inline constexpr int64_t kNf4Scales = 256; // magnitudes with a scale in common
constexpr int64_t numNf4Blocks(int64_t numValues) {
    return (numValues + kNf4Block - 1) / kNf4Block;
}
constexpr int64_t numNf4Scales(int64_t numBlocks) {
    return (numBlocks + kNf4Scales - 1) / kNf4Scales;
}

// From the least to the greatest.
inline constexpr std::array<float, 16> kNf4Values = {
    -1.0f,         -0.696192801f, -0.525073051f, -0.394917488f, -0.284441382f, -0.18477343f, -0.0910500363f, 0.0f,
    0.0795802996f, 0.160930201f,  0.246112302f,  0.337915242f,  0.440709829f,  0.562617004f, 0.722956836f,   1.0f};

// The "dynamic" 8-bit code (Dettmers et al., 2022), from the least to the greatest: 2^k values of each sign at the
// middles of equal parts of [0.1, 1] times 10^(k - 6), for k from 0 to 6; 0 and 1. In fp32, rounded where bitsandbytes
// rounds.
constexpr std::array<float, 256> makeDynamicCode() {
    constexpr float kFirst = 0.1f;
    constexpr std::array<float, 7> kPowers = {1e-6f, 1e-5f, 1e-4f, 1e-3f, 1e-2f, 1e-1f, 1.0f};
    std::array<float, 256> code{};
    std::size_t next = 0;
    for (int k = 0; k < 7; ++k) {
        const int parts = 1 << k;
        const double step = (1.0f - kFirst) / static_cast<float>(parts);
        const auto boundary = [&](int i) { // counted from the nearer end
            return static_cast<float>(i < (parts + 1) / 2 ? static_cast<double>(kFirst) + step * i
                                                          : 1.0 - step * (parts - i));
        };
        for (int i = 0; i < parts; ++i) {
            const float middle = (boundary(i) + boundary(i + 1)) / 2.0f;
            code[next++] = kPowers[static_cast<std::size_t>(k)] * middle;
            code[next++] = -kPowers[static_cast<std::size_t>(k)] * middle;
        }
    }
    code[next++] = 0.0f;
    code[next++] = 1.0f;
    std::ranges::sort(code);
    return code;
}
inline constexpr std::array<float, 256> kDynamicCode = makeDynamicCode();

} // namespace roundpipe
