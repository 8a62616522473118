// SPDX-License-Identifier: GPL-3.0-or-later
// The search: for each part several grids are laid over its range, each is moved by least squares to where the weights
// that fell on its points have their smallest squared error, and the best is kept. The parts' scales (and minima) are
// then rounded to the block's, and around the rounded ones all neighbours are tried with the weights themselves.
#include "artifact/gguf/k_quants.h"

#include "base/for_each_processor.h"
#include "base/half_bits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#define RP_INLINE inline __attribute__((always_inline))

namespace roundpipe::artifact {
namespace {

constexpr int kPart = 32;      // weights of a part with a minimum
constexpr int kParts = 8;      // of a block
constexpr int kMostOfSix = 63; // what 6 bits hold
constexpr int kSmallPart = 16, kSmallParts = 16;
constexpr int kGrids = 10; // to each side of the plain one, a tenth of a step apart

// Eight weights at a time, and so sums of eight lanes that are added in a fixed order: the same bits with any
// instructions.
constexpr int kLanes = 8;
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));

RP_INLINE Floats load(const float* x) {
    Floats values;
    std::memcpy(&values, x, sizeof values);
    return values;
}

RP_INLINE float sumOf(const Floats& lanes) {
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Cut off to [low, high], which holds no negative ones after `shift` is added, and rounded to a whole number.
RP_INLINE Floats rounded(const Floats& at, float low, float high, float shift) {
    const Floats above = at > low ? at : Floats{} + low;
    const Floats within = above < high ? above : Floats{} + high;
    return __builtin_convertvector(__builtin_convertvector(within + (shift + 0.5f), Ints), Floats) - shift;
}

// weight = scale * q - minimum
struct Affine {
    float scale = 0, minimum = 0;
};

// q of each weight on the grid, and the sums that least squares need. Sums of 32 numbers below 32 * 2^16: fp32 holds
// them well enough to choose by.
struct AffineSums {
    float q = 0, qq = 0, x = 0, xq = 0;
};

RP_INLINE AffineSums sumsOn(const float* x, float inverse, float offset, float most) {
    Floats sumQ{}, sumQq{}, sumX{}, sumXq{};
    for (int i = 0; i < kPart; i += kLanes) {
        const Floats values = load(x + i);
        const Floats q = rounded((values + offset) * inverse, 0, most, 0);
        sumQ += q;
        sumQq += q * q;
        sumX += values;
        sumXq += values * q;
    }
    return {sumOf(sumQ), sumOf(sumQq), sumOf(sumX), sumOf(sumXq)};
}

// The best line through the points (q, x), with a minimum that is not negative.
RP_INLINE Affine lineThrough(const AffineSums& sums) {
    const float determinant = kPart * sums.qq - sums.q * sums.q;
    Affine line;
    if (determinant > 0) {
        line.scale = (kPart * sums.xq - sums.q * sums.x) / determinant;
        line.minimum = -(sums.x - line.scale * sums.q) / kPart;
    }
    if (determinant <= 0 || line.minimum < 0) line = {sums.qq > 0 ? sums.xq / sums.qq : 0.0f, 0};
    return line;
}

RP_INLINE float errorOf(const float* x, const Affine& line, float most) {
    const float inverse = line.scale > 0 ? 1.0f / line.scale : 0.0f;
    Floats sum{};
    for (int i = 0; i < kPart; i += kLanes) {
        const Floats values = load(x + i);
        const Floats q = rounded((values + line.minimum) * inverse, 0, most, 0);
        const Floats error = line.scale * q - line.minimum - values;
        sum += error * error;
    }
    return sumOf(sum);
}

RP_INLINE Affine fit(const float* x, float most) {
    float low = 0, high = x[0]; // a minimum is not negative: the grid reaches zero
    for (int i = 0; i < kPart; ++i) {
        low = std::min(low, x[i]);
        high = std::max(high, x[i]);
    }
    if (!(high > low)) return {0, -low};
    Affine best{(high - low) / most, -low};
    float least = errorOf(x, best, most);
    for (int grid = -kGrids; grid <= kGrids; ++grid) {
        Affine line{(high - low) / (most + 0.1f * static_cast<float>(grid)), -low};
        for (int round = 0; round < 2; ++round) {
            line = lineThrough(sumsOn(x, line.scale > 0 ? 1.0f / line.scale : 0.0f, line.minimum, most));
            const float error = errorOf(x, line, most);
            if (!(error < least)) continue;
            least = error;
            best = line;
        }
    }
    return best;
}

struct AffineBlock {
    uint16_t scale = 0, minimum = 0;
    std::array<int, kParts> scales{}, minima{};
    std::array<uint8_t, kSuperBlock> q{};
};

RP_INLINE int near(float value, int step) {
    return std::clamp(static_cast<int>(value + 0.5f) + step, 0, kMostOfSix);
}

RP_INLINE AffineBlock affineBlock(const float* x, float most) {
    std::array<Affine, kParts> lines;
    float largestScale = 0, largestMinimum = 0;
    for (std::size_t p = 0; p < kParts; ++p) {
        lines[p] = fit(x + p * kPart, most);
        largestScale = std::max(largestScale, lines[p].scale);
        largestMinimum = std::max(largestMinimum, lines[p].minimum);
    }
    AffineBlock block;
    block.scale = toF16(largestScale / kMostOfSix);
    block.minimum = toF16(largestMinimum / kMostOfSix);
    const float scale = fromF16(block.scale), minimum = fromF16(block.minimum);
    for (std::size_t p = 0; p < kParts; ++p) {
        const float* part = x + p * kPart;
        const float atScale = scale > 0 ? lines[p].scale / scale : 0.0f;
        const float atMinimum = minimum > 0 ? lines[p].minimum / minimum : 0.0f;
        float least = -1;
        for (int step = -1; step <= 1; ++step)
            for (int minimumStep = -1; minimumStep <= 1; ++minimumStep) {
                const int s = near(atScale, step), m = near(atMinimum, minimumStep);
                const float error =
                    errorOf(part, {scale * static_cast<float>(s), minimum * static_cast<float>(m)}, most);
                if (least >= 0 && !(error < least)) continue;
                least = error;
                block.scales[p] = s;
                block.minima[p] = m;
            }
        const float own = scale * static_cast<float>(block.scales[p]);
        const float ownMinimum = minimum * static_cast<float>(block.minima[p]);
        const float inverse = own > 0 ? 1.0f / own : 0.0f;
        for (std::size_t i = 0; i < kPart; ++i) {
            const float at = std::min(std::max((part[i] + ownMinimum) * inverse, 0.0f), most);
            block.q[p * kPart + i] = static_cast<uint8_t>(at + 0.5f);
        }
    }
    return block;
}

// 6 bits each: the first four scales and minima in the low bits of bytes 0 to 7, whose two highest bits are the highest
// of the other four; their low four bits share bytes 8 to 11.
void packParts(const AffineBlock& block, uint8_t* parts) {
    for (std::size_t p = 0; p < 4; ++p) {
        const int s = block.scales[p + 4], m = block.minima[p + 4];
        parts[p] = static_cast<uint8_t>(block.scales[p] | (s >> 4) << 6);
        parts[p + 4] = static_cast<uint8_t>(block.minima[p] | (m >> 4) << 6);
        parts[p + 8] = static_cast<uint8_t>((s & 15) | (m & 15) << 4);
    }
}

void unpackPart(const uint8_t* parts, std::size_t p, int& scale, int& minimum) {
    if (p < 4) {
        scale = parts[p] & 63;
        minimum = parts[p + 4] & 63;
    } else {
        scale = (parts[p + 4] & 15) | (parts[p - 4] >> 6) << 4;
        minimum = parts[p + 4] >> 4 | (parts[p] >> 6) << 4;
    }
}

void packLow(const AffineBlock& block, uint8_t* low) {
    for (std::size_t pair = 0; pair < kParts / 2; ++pair)
        for (std::size_t i = 0; i < kPart; ++i)
            low[pair * kPart + i] = static_cast<uint8_t>((block.q[2 * pair * kPart + i] & 15) |
                                                         (block.q[(2 * pair + 1) * kPart + i] & 15) << 4);
}

RP_FOR_EACH_PROCESSOR AffineBlock blockOf4(const float* values) {
    return affineBlock(values, 15);
}
RP_FOR_EACH_PROCESSOR AffineBlock blockOf5(const float* values) {
    return affineBlock(values, 31);
}

template <class Block, class HighOf>
void decodeAffine(const Block& block, float* values, const HighOf& highOf) {
    const float scale = fromF16(block.scale), minimum = fromF16(block.minimum);
    for (std::size_t p = 0; p < kParts; ++p) {
        int s = 0, m = 0;
        unpackPart(block.parts, p, s, m);
        const float own = scale * static_cast<float>(s), ownMinimum = minimum * static_cast<float>(m);
        for (std::size_t i = 0; i < kPart; ++i) {
            const int low = block.low[p / 2 * kPart + i] >> (p % 2 * 4) & 15;
            values[p * kPart + i] = own * static_cast<float>(low + highOf(p, i)) - ownMinimum;
        }
    }
}

// Signed grids -------------------------------------------------------------------------------------------------------

// A weight's q plus 32: from 0 to 63.
RP_INLINE int signedLevel(float x, float inverse) {
    return static_cast<int>(std::min(std::max(x * inverse, -32.0f), 31.0f) + 32.5f);
}

RP_INLINE float signedError(const float* x, float scale) {
    const float inverse = scale != 0 ? 1.0f / scale : 0.0f;
    Floats sum{};
    for (int i = 0; i < kSmallPart; i += kLanes) {
        const Floats values = load(x + i);
        const Floats error = scale * rounded(values * inverse, -32, 31, 32) - values;
        sum += error * error;
    }
    return sumOf(sum);
}

// The scale that fits best where each weight stays on its point of the grid.
RP_INLINE float signedScale(const float* x, float scale) {
    Floats sumQq{}, sumXq{};
    for (int i = 0; i < kSmallPart; i += kLanes) {
        const Floats values = load(x + i);
        const Floats q = rounded(values * (1.0f / scale), -32, 31, 32);
        sumQq += q * q;
        sumXq += values * q;
    }
    const float squares = sumOf(sumQq);
    return squares > 0 ? sumOf(sumXq) / squares : 0.0f;
}

RP_INLINE float fitSigned(const float* x) {
    float extreme = 0; // with its sign: it takes the point at -32, of which there is one more than of positive ones
    for (int i = 0; i < kSmallPart; ++i)
        if (std::abs(x[i]) > std::abs(extreme)) extreme = x[i];
    if (extreme == 0) return 0;
    float best = extreme / -32, least = signedError(x, best);
    for (int grid = -kGrids; grid <= kGrids; ++grid) {
        float scale = extreme / -(32 + 0.1f * static_cast<float>(grid));
        for (int round = 0; round < 2 && scale != 0; ++round) {
            scale = signedScale(x, scale);
            const float error = signedError(x, scale);
            if (!(error < least)) continue;
            least = error;
            best = scale;
        }
    }
    return best;
}

struct SignedBlock {
    uint16_t scale = 0;
    std::array<int, kSmallParts> scales{};
    std::array<uint8_t, kSuperBlock> q{}; // plus 32
};

RP_FOR_EACH_PROCESSOR SignedBlock signedBlock(const float* x) {
    std::array<float, kSmallParts> fitted{};
    float extreme = 0;
    for (std::size_t p = 0; p < kSmallParts; ++p) {
        fitted[p] = fitSigned(x + p * kSmallPart);
        if (std::abs(fitted[p]) > std::abs(extreme)) extreme = fitted[p];
    }
    SignedBlock block;
    block.scale = toF16(extreme / -128);
    const float scale = fromF16(block.scale);
    for (std::size_t p = 0; p < kSmallParts; ++p) {
        const float* part = x + p * kSmallPart;
        const float at = scale != 0 ? std::clamp(fitted[p] / scale, -128.0f, 127.0f) : 0.0f;
        float least = -1;
        for (int step = -1; step <= 1; ++step) {
            const int s = std::clamp(static_cast<int>(at + 256.5f) - 256 + step, -128, 127);
            const float error = signedError(part, scale * static_cast<float>(s));
            if (least >= 0 && !(error < least)) continue;
            least = error;
            block.scales[p] = s;
        }
        const float own = scale * static_cast<float>(block.scales[p]);
        const float inverse = own != 0 ? 1.0f / own : 0.0f;
        for (std::size_t i = 0; i < kSmallPart; ++i)
            block.q[p * kSmallPart + i] = static_cast<uint8_t>(signedLevel(part[i], inverse));
    }
    return block;
}

constexpr std::size_t kHalf = 128, kQuarter = 32; // of a block whose bits lie in halves, each of four quarters

} // namespace

void encode(const float* values, BlockOfQ4K& block) {
    const AffineBlock made = blockOf4(values);
    block.scale = made.scale;
    block.minimum = made.minimum;
    packParts(made, block.parts);
    packLow(made, block.low);
}

void encode(const float* values, BlockOfQ5K& block) {
    const AffineBlock made = blockOf5(values);
    block.scale = made.scale;
    block.minimum = made.minimum;
    packParts(made, block.parts);
    packLow(made, block.low);
    std::memset(block.high, 0, sizeof block.high);
    for (std::size_t p = 0; p < kParts; ++p)
        for (std::size_t i = 0; i < kPart; ++i)
            block.high[i] = static_cast<uint8_t>(block.high[i] | (made.q[p * kPart + i] >> 4) << p);
}

void encode(const float* values, BlockOfQ6K& block) {
    const SignedBlock made = signedBlock(values);
    block.scale = made.scale;
    for (std::size_t p = 0; p < kSmallParts; ++p)
        block.parts[p] = static_cast<int8_t>(made.scales[p]);
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t i = 0; i < kQuarter; ++i) {
            const auto q = [&](std::size_t quarter) { return int{made.q[half * kHalf + quarter * kQuarter + i]}; };
            block.low[half * 64 + i] = static_cast<uint8_t>((q(0) & 15) | (q(2) & 15) << 4);
            block.low[half * 64 + 32 + i] = static_cast<uint8_t>((q(1) & 15) | (q(3) & 15) << 4);
            block.high[half * 32 + i] =
                static_cast<uint8_t>(q(0) >> 4 | (q(1) >> 4) << 2 | (q(2) >> 4) << 4 | (q(3) >> 4) << 6);
        }
}

void decode(const BlockOfQ4K& block, float* values) {
    decodeAffine(block, values, [](std::size_t, std::size_t) { return 0; });
}

void decode(const BlockOfQ5K& block, float* values) {
    decodeAffine(block, values, [&](std::size_t p, std::size_t i) { return (block.high[i] >> p & 1) << 4; });
}

void decode(const BlockOfQ6K& block, float* values) {
    const float scale = fromF16(block.scale);
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t quarter = 0; quarter < 4; ++quarter)
            for (std::size_t i = 0; i < kQuarter; ++i) {
                const int low = block.low[half * 64 + quarter % 2 * 32 + i] >> (quarter / 2 * 4) & 15;
                const int high = block.high[half * 32 + i] >> (quarter * 2) & 3;
                const std::size_t at = half * kHalf + quarter * kQuarter + i;
                values[at] = scale * static_cast<float>(block.parts[at / kSmallPart]) *
                             static_cast<float>((low | high << 4) - 32);
            }
}

} // namespace roundpipe::artifact
