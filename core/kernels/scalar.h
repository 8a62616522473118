// SPDX-License-Identifier: GPL-3.0-or-later
// The storage types bf16 and fp16, and what arithmetic on each storage type is done in. Rounding is to nearest even,
// the same on host and device. Everything here is inlined, so it may be shared by code for several instruction sets.
#pragma once

#include "base/dtype.h"
#include "kernels/random.h"

#include <bit>
#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace roundpipe::kernels {

struct BF16 {
    uint16_t bits;
};
struct F16 {
    uint16_t bits;
};

// What a storage type is computed in, and what its statistics are kept in.
template <class T>
using Statistic = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class To, class From>
RP_HOST_DEVICE inline To bitsAs(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

RP_HOST_DEVICE inline float widen(BF16 value) {
    return bitsAs<float>(static_cast<uint32_t>(value.bits) << 16);
}

RP_HOST_DEVICE inline float widen(F16 value) {
#ifdef __CUDA_ARCH__
    return __half2float(bitsAs<__half>(value.bits));
#else
    // Exponent and mantissa moved into place and rescaled from half's bias to float's; exact for subnormals too.
    const uint32_t magnitude = static_cast<uint32_t>(value.bits & 0x7fffu) << 13;
    uint32_t bits = bitsAs<uint32_t>(bitsAs<float>(magnitude) * 0x1.0p112f);
    bits |= magnitude >= (0x7c00u << 13) ? 0x7f800000u : 0u; // infinity and NaN
    return bitsAs<float>(bits | (static_cast<uint32_t>(value.bits & 0x8000u) << 16));
#endif
}

RP_HOST_DEVICE inline float widen(float value) {
    return value;
}
RP_HOST_DEVICE inline double widen(double value) {
    return value;
}

template <class T>
struct Rounding;

template <>
struct Rounding<BF16> {
    RP_HOST_DEVICE static inline BF16 round(float value) {
#ifdef __CUDA_ARCH__
        return {bitsAs<uint16_t>(__float2bfloat16_rn(value))};
#else
        const uint32_t bits = bitsAs<uint32_t>(value);
        const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
        const uint32_t quietNan = (bits >> 16) | 0x40u;
        return {static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quietNan : rounded)};
#endif
    }
};

template <>
struct Rounding<F16> {
    RP_HOST_DEVICE static inline F16 round(float value) {
#ifdef __CUDA_ARCH__
        return {bitsAs<uint16_t>(__float2half_rn(value))};
#else
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
        return {static_cast<uint16_t>(half | (sign >> 16))};
#endif
    }
};

template <>
struct Rounding<float> {
    RP_HOST_DEVICE static inline float round(float value) { return value; }
    RP_HOST_DEVICE static inline float round(double value) { return static_cast<float>(value); }
};

template <>
struct Rounding<double> {
    RP_HOST_DEVICE static inline double round(double value) { return value; }
};

// `value` rounded to the storage type T. From double to a half type: by way of fp32, as LibTorch does.
template <class T, class S>
RP_HOST_DEVICE inline T narrow(S value) {
    if constexpr (std::is_same_v<T, BF16> || std::is_same_v<T, F16>)
        return Rounding<T>::round(static_cast<float>(value));
    else
        return Rounding<T>::round(value);
}

// `value` after a round trip through T, where Hugging Face's order of operations rounds on the way.
template <class T, class S>
RP_HOST_DEVICE inline S rounded(S value) {
    return static_cast<S>(widen(narrow<T>(value)));
}

// Calls visitor(T{}) with the storage type of `dtype`, which is a floating one (kernels.cpp checks).
template <class Visitor>
__attribute__((always_inline)) inline void visitFloating(DType dtype, Visitor&& visitor) {
    switch (dtype) {
    case DType::kF64:
        visitor(double{});
        break;
    case DType::kBF16:
        visitor(BF16{});
        break;
    case DType::kF16:
        visitor(F16{});
        break;
    default:
        visitor(float{});
        break;
    }
}

} // namespace roundpipe::kernels
