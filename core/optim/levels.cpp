// SPDX-License-Identifier: GPL-3.0-or-later
// The passes, compiled once for each instruction set.
#include "optim/levels.h"
#include "base/half_bits.h"

#include <cmath>
#include <type_traits>

#define RP_INLINE __attribute__((always_inline)) inline

namespace roundpipe::optim::RP_LEVEL {
namespace {

struct Bf16Bits {
    uint16_t bits;
};
struct F16Bits {
    uint16_t bits;
};

RP_INLINE double widen(double value) {
    return value;
}
RP_INLINE float widen(float value) {
    return value;
}
RP_INLINE float widen(Bf16Bits value) {
    return fromBf16(value.bits);
}

template <class T>
RP_INLINE T narrow(double value) {
    return value;
}
template <class T>
RP_INLINE T narrow(float value) {
    if constexpr (std::is_same_v<T, Bf16Bits>)
        return {toBf16(value)};
    else if constexpr (std::is_same_v<T, F16Bits>)
        return {toF16(value)};
    else
        return value;
}

// An element's random bits: its number and the key through the finaliser of MurmurHash3 (Appleby, 2011), in 32 bits so
// that loops over it vectorise.
RP_INLINE uint32_t drawOf(uint64_t key, int64_t element) {
    uint32_t x =
        (static_cast<uint32_t>(element) ^ static_cast<uint32_t>(key)) * 0x9e3779b1u + static_cast<uint32_t>(key >> 32);
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

// `value` rounded up or down as 16 random bits say: what falls away is the chance of going up.
RP_INLINE Bf16Bits roundedBy(uint32_t random, float value) {
    const uint32_t bits = bitsAs<uint32_t>(value);
    const uint32_t quietNan = (bits >> 16) | 0x40u;
    return {static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quietNan : (bits + random) >> 16)};
}

// The order and the roundings are those of torch.optim.AdamW's single-tensor path, so that curves can be compared.
template <class T, class M, class G, class V>
void adamwElements(const AdamWFactors& factors, const AdamWArrays& arrays, int64_t begin, int64_t end) {
    const T decay = static_cast<T>(factors.decay), take1 = static_cast<T>(factors.take1);
    const T keep2 = static_cast<T>(factors.keep2), take2 = static_cast<T>(factors.take2);
    const T stepSize = static_cast<T>(factors.stepSize), root2 = static_cast<T>(factors.root2);
    const T epsilon = static_cast<T>(factors.epsilon), scale = static_cast<T>(factors.gradientScale);
    T* __restrict masters = static_cast<T*>(arrays.masters);
    M* __restrict firsts = static_cast<M*>(arrays.first);
    M* __restrict seconds = static_cast<M*>(arrays.second);
    const G* __restrict gradients = static_cast<const G*>(arrays.gradients);
    V* __restrict versions = static_cast<V*>(arrays.version);
    for (int64_t i = begin; i < end; ++i) {
        const T gradient = widen(gradients[i]) * scale;
        const T before = widen(firsts[i]);
        const T first = before + take1 * (gradient - before);
        const T second = widen(seconds[i]) * keep2 + take2 * gradient * gradient;
        const T denominator = std::sqrt(second) / root2 + epsilon;
        const T master = masters[i] * decay - stepSize * (first / denominator);
        if constexpr (std::is_same_v<M, Bf16Bits>) {
            const uint32_t draw = drawOf(arrays.draws, i);
            firsts[i] = roundedBy(draw & 0xffffu, first);
            seconds[i] = roundedBy(draw >> 16, second);
        } else {
            firsts[i] = first;
            seconds[i] = second;
        }
        masters[i] = master;
        versions[i] = narrow<V>(master);
    }
}

template <class M, class G>
void adamwOfVersion(const AdamWFactors& factors, const AdamWArrays& arrays, int64_t begin, int64_t end) {
    if (arrays.versionType == DType::kBF16)
        adamwElements<float, M, G, Bf16Bits>(factors, arrays, begin, end);
    else if (arrays.versionType == DType::kF16)
        adamwElements<float, M, G, F16Bits>(factors, arrays, begin, end);
    else
        adamwElements<float, M, G, float>(factors, arrays, begin, end);
}

template <class M>
void adamwOfGradients(const AdamWFactors& factors, const AdamWArrays& arrays, int64_t begin, int64_t end) {
    if (arrays.gradientType == DType::kBF16)
        adamwOfVersion<M, Bf16Bits>(factors, arrays, begin, end);
    else
        adamwOfVersion<M, float>(factors, arrays, begin, end);
}

void adamw(const AdamWFactors& factors, const AdamWArrays& arrays, int64_t begin, int64_t end) {
    if (arrays.type == DType::kF64)
        adamwElements<double, double, double, double>(factors, arrays, begin, end);
    else if (arrays.momentType == DType::kBF16)
        adamwOfGradients<Bf16Bits>(factors, arrays, begin, end);
    else
        adamwOfGradients<float>(factors, arrays, begin, end);
}

template <class T>
double sumOf(const T* values, int64_t begin, int64_t end) {
    constexpr int64_t kLanes = 16;
    double lanes[kLanes] = {};
    const int64_t whole = begin + (end - begin) / kLanes * kLanes;
    for (int64_t i = begin; i < whole; i += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane) {
            const double value = static_cast<double>(widen(values[i + lane]));
            lanes[lane] += value * value;
        }
    for (int64_t i = whole; i < end; ++i) {
        const double value = static_cast<double>(widen(values[i]));
        lanes[i - whole] += value * value;
    }
    for (int64_t width = kLanes / 2; width > 0; width /= 2)
        for (int64_t lane = 0; lane < width; ++lane)
            lanes[lane] += lanes[lane + width];
    return lanes[0];
}

double sumOfSquares(DType type, const void* values, int64_t begin, int64_t end) {
    if (type == DType::kF64) return sumOf(static_cast<const double*>(values), begin, end);
    if (type == DType::kBF16) return sumOf(static_cast<const Bf16Bits*>(values), begin, end);
    return sumOf(static_cast<const float*>(values), begin, end);
}

template <class T, class V>
void addElements(void* sums, const void* values, bool begins, int64_t begin, int64_t end) {
    T* __restrict to = static_cast<T*>(sums);
    const V* __restrict from = static_cast<const V*>(values);
    if (begins)
        for (int64_t i = begin; i < end; ++i)
            to[i] = widen(from[i]);
    else
        for (int64_t i = begin; i < end; ++i)
            to[i] += widen(from[i]);
}

void addTo(DType sumsType, void* sums, DType type, const void* values, bool begins, int64_t begin, int64_t end) {
    if (sumsType == DType::kF64)
        addElements<double, double>(sums, values, begins, begin, end);
    else if (type == DType::kBF16)
        addElements<float, Bf16Bits>(sums, values, begins, begin, end);
    else
        addElements<float, float>(sums, values, begins, begin, end);
}

} // namespace

#define RP_TEXT(name) #name
#define RP_NAME_OF(level) RP_TEXT(level)
const Passes kPasses = {RP_NAME_OF(RP_LEVEL), adamw, sumOfSquares, addTo};

} // namespace roundpipe::optim::RP_LEVEL
