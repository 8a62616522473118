// SPDX-License-Identifier: GPL-3.0-or-later
// MXFP4 (OCP Microscaling Formats, 2023): values of e2m1, a sign, 2 bits of exponent and 1 of mantissa, in groups of 32
// that have a power of two in common, stored as its exponent. Two codes a byte, the first in the lower half, as gpt-oss
// is published.
#pragma once

#include "base/half_bits.h"

#include <array>
#include <cstdint>

namespace roundpipe {

inline constexpr int64_t kMxfp4Group = 32; // values with a scale in common
constexpr int64_t numMxfp4Groups(int64_t numValues) {
    return (numValues + kMxfp4Group - 1) / kMxfp4Group;
}

// Of the codes from 0 on.
inline constexpr std::array<float, 16> kE2m1Values = {0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,  4.0f,  6.0f,
                                                      -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};

// 2^(code - 127); of 0 a subnormal, and 255 is infinite, as fp32 would have it.
RP_HOST_DEVICE inline float fromE8m0(uint8_t code) {
    return bitsAs<float>(code == 0 ? 0x00400000u : static_cast<uint32_t>(code) << 23);
}

} // namespace roundpipe
