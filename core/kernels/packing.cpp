// SPDX-License-Identifier: GPL-3.0-or-later
// A value's code is that of the nearest of the format's values, of the lower one where it lies in the middle. A whole
// block is multiplied by the inverse of its magnitude, the rest of a tensor divided by it: in the order and with the
// roundings of bitsandbytes, whose codes are the same.
#include "kernels/packing.h"

#include "base/fp8.h"
#include "base/mxfp4.h"
#include "base/nf4.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace roundpipe::kernels {
namespace {

constexpr float kLeastMagnitude = 1e-38f; // of values that are all zero

template <std::size_t N>
constexpr std::array<float, N - 1> middlesOf(const std::array<float, N>& values) {
    std::array<float, N - 1> middles{};
    for (std::size_t i = 0; i + 1 < N; ++i)
        middles[i] = (values[i] + values[i + 1]) / 2;
    return middles;
}

// Of each of some columns by itself, as many values are compared at once then.
float largestOf(const float* values, int64_t count) {
    constexpr int64_t kColumns = 16;
    float largest[kColumns] = {};
    int64_t first = 0;
    for (; first + kColumns <= count; first += kColumns)
        for (int64_t i = 0; i < kColumns; ++i)
            largest[i] = std::max(largest[i], std::abs(values[first + i]));
    for (int64_t i = first; i < count; ++i)
        largest[i - first] = std::max(largest[i - first], std::abs(values[i]));
    return *std::ranges::max_element(largest);
}

// In [-1, 1], as parts of `largest`.
void scale(const float* values, int64_t count, float largest, bool isWhole, float* to) {
    const float divisor = std::max(largest, kLeastMagnitude), inverse = 1.0f / divisor;
    for (int64_t i = 0; i < count; ++i)
        to[i] = std::clamp(isWhole ? values[i] * inverse : values[i] / divisor, -1.0f, 1.0f);
}

// How many of the middles lie below each value of a whole block: a fixed number of steps without a branch, which the
// compiler does for several values at once.
void nf4Codes(const float* scaled, int32_t* code) {
    static constexpr auto kMiddles = middlesOf(kNf4Values);
    for (int64_t i = 0; i < kNf4Block; ++i) {
        int32_t below = 0;
        for (const float middle : kMiddles)
            below += scaled[i] > middle ? 1 : 0;
        code[i] = below;
    }
}

} // namespace

void packNf4Values(const float* values, int64_t count, uint8_t* codes, float* magnitudes) {
    for (int64_t first = 0; first < count; first += kNf4Block) {
        const int64_t size = std::min(kNf4Block, count - first);
        const float largest = largestOf(values + first, size);
        magnitudes[first / kNf4Block] = largest;
        float scaled[kNf4Block] = {}; // a half of the last byte may lie behind the values: a zero
        scale(values + first, size, largest, size == kNf4Block, scaled);
        int32_t code[kNf4Block];
        nf4Codes(scaled, code);
        for (int64_t i = 0; i < size; i += 2)
            codes[(first + i) / 2] = static_cast<uint8_t>(code[i] << 4 | code[i + 1]);
    }
}

void packNf4Magnitudes(const float* magnitudes, int64_t count, uint8_t* codes, float* scales, float* mean) {
    static constexpr auto kMiddles = middlesOf(kDynamicCode);
    double sum = 0;
    for (int64_t i = 0; i < count; ++i)
        sum += static_cast<double>(magnitudes[i]);
    *mean = static_cast<float>(sum / static_cast<double>(count));
    for (int64_t first = 0; first < count; first += kNf4Scales) {
        const int64_t size = std::min(kNf4Scales, count - first);
        float rest[kNf4Scales];
        for (int64_t i = 0; i < size; ++i)
            rest[i] = magnitudes[first + i] - *mean;
        const float largest = largestOf(rest, size);
        scales[first / kNf4Scales] = largest;
        scale(rest, size, largest, size == kNf4Scales, rest);
        for (int64_t i = 0; i < size; ++i)
            codes[first + i] = static_cast<uint8_t>(std::ranges::lower_bound(kMiddles, rest[i]) - kMiddles.begin());
    }
}

void packInt8Row(const float* values, int64_t count, int8_t* packed, float* scale) {
    constexpr float kLargestCode = 127;
    *scale = largestOf(values, count);
    const float inverse = *scale > 0 ? kLargestCode / *scale : 0;
    for (int64_t i = 0; i < count; ++i) // a tiny row's inverse may be infinite
        packed[i] = static_cast<int8_t>(std::nearbyint(std::clamp(values[i] * inverse, -kLargestCode, kLargestCode)));
}

void packFp8Row(const float* values, int64_t count, uint8_t* codes, float* scale) {
    const float largest = largestOf(values, count);
    *scale = largest > kLeastForE4m3 ? largest / kLargestE4m3 : 0;
    for (int64_t i = 0; i < count; ++i)
        codes[i] = *scale > 0 ? toE4m3(values[i] / *scale) : uint8_t{0};
}

void packMxfp4Values(const float* values, int64_t count, uint8_t* codes, uint8_t* scales) {
    constexpr int kLargestExponent = 2, kBias = 127, kLargestScale = 254; // 6 is 1.5 * 2^2
    for (int64_t first = 0; first < count; first += kMxfp4Group) {
        const int64_t size = std::min(kMxfp4Group, count - first);
        const float largest = largestOf(values + first, size);
        const int exponent = largest == 0 ? 0 : std::ilogb(largest) - kLargestExponent + kBias;
        const int scale = std::clamp(exponent, 0, kLargestScale);
        scales[first / kMxfp4Group] = static_cast<uint8_t>(scale);
        uint8_t code[kMxfp4Group] = {};
        for (int64_t i = 0; i < size; ++i) {
            const float a = std::ldexp(std::abs(values[first + i]), kBias - scale);
            // How many of the middles lie below; in one of them the even code is chosen.
            const int magnitude =
                (a > 0.25f) + (a >= 0.75f) + (a > 1.25f) + (a >= 1.75f) + (a > 2.5f) + (a >= 3.5f) + (a > 5.0f);
            code[i] = static_cast<uint8_t>(magnitude | (std::signbit(values[first + i]) ? 8 : 0));
        }
        for (int64_t i = 0; i < size; i += 2)
            codes[(first + i) / 2] = static_cast<uint8_t>(code[i] | (i + 1 < size ? code[i + 1] << 4 : 0));
    }
}

} // namespace roundpipe::kernels
