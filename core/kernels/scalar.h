// SPDX-License-Identifier: GPL-3.0-or-later
// The storage types bf16 and fp16, and what arithmetic on each storage type is done in. Rounding is to nearest even,
// the same on host and device. Everything here is inlined, so it may be shared by code for several instruction sets.
#pragma once

#include "base/dtype.h"
#include "base/half_bits.h"

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

RP_HOST_DEVICE inline float widen(BF16 value) {
    return fromBf16(value.bits);
}

RP_HOST_DEVICE inline float widen(F16 value) {
#ifdef __CUDA_ARCH__
    return __half2float(bitsAs<__half>(value.bits));
#else
    return fromF16(value.bits);
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
        return {toBf16(value)};
#endif
    }
};

template <>
struct Rounding<F16> {
    RP_HOST_DEVICE static inline F16 round(float value) {
#ifdef __CUDA_ARCH__
        return {bitsAs<uint16_t>(__float2half_rn(value))};
#else
        return {toF16(value)};
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
