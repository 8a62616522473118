// SPDX-License-Identifier: GPL-3.0-or-later
// What the CPU twins share. These files are compiled once for each instruction set, in the namespace RP_LEVEL, without
// fused multiply-add: every x86-64 processor gives the same bits.
//
// Rows are worked off in chunks: widened into a local buffer, computed there, rounded back. So inputs may alias outputs
// element by element, and the loops over buffers vectorise.
#pragma once

#include "kernels/formulas.h"
#include "kernels/implementation.h"
#include "kernels/scalar.h"

#include <cmath>
#include <limits>

#define RP_INLINE __attribute__((always_inline)) inline

namespace roundpipe::kernels::RP_LEVEL {

inline constexpr int64_t kChunk = 256;

template <class T>
RP_INLINE T* rowOf(const Matrix& matrix, int64_t row) {
    return static_cast<T*>(matrix.data) + row * matrix.pitch;
}

template <class T, class S>
RP_INLINE void load(const T* from, int64_t count, S* to) {
    for (int64_t i = 0; i < count; ++i)
        to[i] = static_cast<S>(widen(from[i]));
}

template <class T, class S>
RP_INLINE void store(const S* from, int64_t count, T* to) {
    for (int64_t i = 0; i < count; ++i)
        to[i] = narrow<T>(from[i]);
}

// body(first, count) for each chunk of a row.
template <class Body>
RP_INLINE void forChunks(int64_t cols, Body&& body) {
    for (int64_t first = 0; first < cols; first += kChunk)
        body(first, cols - first < kChunk ? cols - first : kChunk);
}

// The sum of term(i) for i < count, in 16 lanes that are then added pairwise.
template <class S, class Term>
RP_INLINE double sumOf(int64_t count, Term&& term) {
    constexpr int64_t kLanes = 16;
    S lanes[kLanes] = {};
    const int64_t whole = count / kLanes * kLanes;
    for (int64_t i = 0; i < whole; i += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] += term(i + lane);
    for (int64_t i = whole; i < count; ++i)
        lanes[i - whole] += term(i);
    for (int64_t width = kLanes / 2; width > 0; width /= 2)
        for (int64_t lane = 0; lane < width; ++lane)
            lanes[lane] += lanes[lane + width];
    return static_cast<double>(lanes[0]);
}

template <class S>
RP_INLINE S largestOf(const S* values, int64_t count, S largest) {
    constexpr int64_t kLanes = 16;
    S lanes[kLanes];
    for (S& lane : lanes)
        lane = largest;
    const int64_t whole = count / kLanes * kLanes;
    for (int64_t i = 0; i < whole; i += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] = lanes[lane] > values[i + lane] ? lanes[lane] : values[i + lane];
    for (int64_t i = whole; i < count; ++i)
        lanes[0] = lanes[0] > values[i] ? lanes[0] : values[i];
    for (const S lane : lanes)
        largest = largest > lane ? largest : lane;
    return largest;
}

// e^x within 1 unit in the last place, written so that loops over it vectorise. Results below 2^-126 are 0.
RP_INLINE float exponential(float x) {
    constexpr float kRound = 0x1.8p23f; // adding it leaves the nearest integer in the low bits
    float clamped = x < -87.5f ? -87.5f : x;
    clamped = clamped > 89.0f ? 89.0f : clamped;
    const float shifted = clamped * 0x1.715476p0f + kRound;
    const float n = shifted - kRound;
    const float r = (clamped - n * 0x1.62e400p-1f) - n * 0x1.7f7d1cp-20f; // x - n ln 2, ln 2 in two parts
    float q = 1.0f / 5040;
    q = q * r + 1.0f / 720;
    q = q * r + 1.0f / 120;
    q = q * r + 1.0f / 24;
    q = q * r + 1.0f / 6;
    q = q * r + 0.5f;
    const float power = 1.0f + (r + (r * r) * q);
    // 2^n in two factors, as n reaches 128.
    const int32_t exponent = bitsAs<int32_t>(shifted) - bitsAs<int32_t>(kRound);
    const int32_t half = exponent >> 1;
    const float scaled = (power * bitsAs<float>((half + 127) << 23)) * bitsAs<float>((exponent - half + 127) << 23);
    return x < -87.3f ? 0.0f : scaled;
}
RP_INLINE double exponential(double x) {
    return std::exp(x);
}

} // namespace roundpipe::kernels::RP_LEVEL
