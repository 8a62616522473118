// SPDX-License-Identifier: GPL-3.0-or-later
// bf16 and fp16 as bits: to fp32, which is exact, and from it, to nearest even. Without a branch, so that loops over
// them vectorise.
#pragma once

#include "base/host_device.h"

#include <cstdint>

namespace roundpipe {

template <class To, class From>
RP_HOST_DEVICE inline To bitsAs(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

RP_HOST_DEVICE inline float fromBf16(uint16_t bf16) {
    return bitsAs<float>(static_cast<uint32_t>(bf16) << 16);
}

RP_HOST_DEVICE inline uint16_t toBf16(float value) {
    const uint32_t bits = bitsAs<uint32_t>(value);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const uint32_t quietNan = (bits >> 16) | 0x40u;
    return static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quietNan : rounded);
}

RP_HOST_DEVICE inline float fromF16(uint16_t f16) {
    // Exponent and mantissa moved into place and rescaled from half's bias to float's; exact for subnormals too.
    const uint32_t magnitude = static_cast<uint32_t>(f16 & 0x7fffu) << 13;
    uint32_t bits = bitsAs<uint32_t>(bitsAs<float>(magnitude) * 0x1.0p112f);
    bits |= magnitude >= (0x7c00u << 13) ? 0x7f800000u : 0u; // infinity and NaN
    return bitsAs<float>(bits | (static_cast<uint32_t>(f16 & 0x8000u) << 16));
}

RP_HOST_DEVICE inline uint16_t toF16(float value) {
    const uint32_t bits = bitsAs<uint32_t>(value);
    const uint32_t sign = bits & 0x80000000u;
    const uint32_t magnitude = bits ^ sign;
    // Adding 0.5 lines a subnormal result's mantissa up with the low bits, rounded to even by the adder.
    const uint32_t subnormal = bitsAs<uint32_t>(bitsAs<float>(magnitude) + 0.5f) - 0x3f000000u;
    // Rebias by 15 - 127 and round to even on the 13 bits that fall away; a carry overflows into the exponent.
    const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    uint32_t half = magnitude < 0x38800000u ? subnormal : normal;
    half = magnitude >= 0x47800000u ? 0x7c00u : half; // 2^16 and above; [65520, 2^16) carried into infinity
    half = magnitude > 0x7f800000u ? 0x7e00u : half;
    return static_cast<uint16_t>(half | (sign >> 16));
}

} // namespace roundpipe
