// SPDX-License-Identifier: GPL-3.0-or-later
// FP8 of the kind e4m3 (Micikevicius et al., "FP8 formats for deep learning", 2022) as bits: a sign, 4 bits of exponent
// with a bias of 7, 3 of mantissa; no infinity. As rows of weights or activations are kept in it, each has a scale.
#pragma once

#include "base/half_bits.h"

#include <cstdint>

namespace roundpipe {

inline constexpr float kLargestE4m3 = 448;
inline constexpr float kLeastForE4m3 = 0x1p-110f; // a row of which no value is larger is one of zeros

RP_HOST_DEVICE inline float fromE4m3(uint8_t code) {
    const uint32_t magnitude = code & 0x7fu, sign = static_cast<uint32_t>(code & 0x80u) << 24;
    const float subnormal = static_cast<float>(magnitude) * 0x1p-9f;
    uint32_t bits = magnitude < 8 ? bitsAs<uint32_t>(subnormal) : (magnitude << 20) + 0x3c000000u;
    bits = magnitude == 0x7f ? 0x7fc00000u : bits;
    return bitsAs<float>(bits | sign);
}

// To nearest even; what lies beyond the largest becomes that, and what is no number stays so.
RP_HOST_DEVICE inline uint8_t toE4m3(float value) {
    const uint32_t bits = bitsAs<uint32_t>(value);
    const uint32_t sign = bits & 0x80000000u, magnitude = bits ^ sign;
    // Adding 2^14 lines a subnormal result's mantissa, of 2^-9, up with the low bits, rounded to even by the adder.
    const uint32_t subnormal = bitsAs<uint32_t>(bitsAs<float>(magnitude) + 0x1p14f) - 0x46800000u;
    // Rebias by 7 - 127 and round to even on the 20 bits that fall away; a carry overflows into the exponent.
    const uint32_t normal = (magnitude - 0x3c000000u + 0x7ffffu + ((magnitude >> 20) & 1u)) >> 20;
    uint32_t code = magnitude < 0x3c800000u ? subnormal : normal;
    code = magnitude >= 0x43e00000u ? 0x7eu : code; // 448
    code = magnitude > 0x7f800000u ? 0x7fu : code;
    return static_cast<uint8_t>(code | (sign >> 24));
}

} // namespace roundpipe
