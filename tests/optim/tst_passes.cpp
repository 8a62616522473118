// SPDX-License-Identifier: GPL-3.0-or-later
// The loops over elements give the same bits with every instruction set that this processor has, and the bits of the
// plain recurrence, rounding and all.
#include "optim/passes.h"

#include "base/half_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace roundpipe::optim {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int64_t kCount = 1031; // no multiple of any vector

// Ordinary values, denormals, huge and tiny ones, zeros of both signs.
template <class T>
std::vector<T> drawn(uint32_t seed, bool positive) {
    std::mt19937 draw(seed);
    std::normal_distribution<double> normal;
    std::vector<T> values;
    for (int64_t i = 0; i < kCount; ++i) {
        constexpr int kLeast = std::numeric_limits<T>::min_exponent, kMost = std::numeric_limits<T>::max_exponent;
        const std::array<int, 6> exponents = {0, -10, kLeast - 5, kLeast, kMost / 3, -kMost / 3};
        double value = std::ldexp(normal(draw), exponents[draw() % exponents.size()]);
        if (draw() % 11 == 0) value = std::copysign(0.0, value);
        values.push_back(static_cast<T>(positive ? std::abs(value) : value));
    }
    return values;
}

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
    Bytes bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

Bytes asBf16(const std::vector<float>& values) {
    std::vector<uint16_t> halves;
    for (const float value : values)
        halves.push_back(toBf16(value));
    return bytesOf(halves);
}

struct Types {
    DType masters, gradients, version, moments;
    std::string name() const {
        return std::string(toString(masters)) + ", gradients " + toString(gradients) + ", version " +
               toString(version) + ", moments " + toString(moments);
    }
};
std::vector<Types> allTypes() {
    std::vector<Types> all{{DType::kF64, DType::kF64, DType::kF64, DType::kF64}};
    for (const DType gradients : {DType::kF32, DType::kBF16})
        for (const DType version : {DType::kF32, DType::kBF16, DType::kF16})
            for (const DType moments : {DType::kF32, DType::kBF16})
                all.push_back({DType::kF32, gradients, version, moments});
    return all;
}

struct Arrays {
    Bytes masters, first, second, gradients, version;
    bool operator==(const Arrays&) const = default;
};

Arrays arraysOf(const Types& types) {
    Arrays arrays;
    if (types.masters == DType::kF64) {
        arrays.masters = bytesOf(drawn<double>(1, false));
        arrays.first = bytesOf(drawn<double>(2, false));
        arrays.second = bytesOf(drawn<double>(3, true));
        arrays.gradients = bytesOf(drawn<double>(4, false));
    } else {
        arrays.masters = bytesOf(drawn<float>(1, false));
        const bool half = types.moments == DType::kBF16;
        arrays.first = half ? asBf16(drawn<float>(2, false)) : bytesOf(drawn<float>(2, false));
        arrays.second = half ? asBf16(drawn<float>(3, true)) : bytesOf(drawn<float>(3, true));
        const std::vector<float> gradients = drawn<float>(4, false);
        arrays.gradients = types.gradients == DType::kBF16 ? asBf16(gradients) : bytesOf(gradients);
    }
    arrays.version = Bytes(kCount * sizeOf(types.version), std::byte{0xee});
    return arrays;
}

constexpr uint64_t kDraws = 0x123456789abcdef0u;

// What falls away of a moment is its chance of being rounded up, by 16 bits of the element's draw.
uint16_t roundedAtRandom(int64_t element, bool isSecond, float value) {
    uint32_t draw = (static_cast<uint32_t>(element) ^ static_cast<uint32_t>(kDraws)) * 0x9e3779b1u +
                    static_cast<uint32_t>(kDraws >> 32);
    draw = (draw ^ (draw >> 16)) * 0x85ebca6bu;
    draw = (draw ^ (draw >> 13)) * 0xc2b2ae35u;
    draw ^= draw >> 16;
    if (std::isnan(value)) return toBf16(value);
    const auto bits = bitsAs<uint32_t>(value);
    const bool up = (bits & 0xffffu) + (isSecond ? draw >> 16 : draw & 0xffffu) > 0xffffu;
    return static_cast<uint16_t>((bits >> 16) + (up ? 1 : 0));
}

AdamWFactors factors() {
    return {1 - 3e-4 * 0.1, 1 - 0.9, 0.999, 1 - 0.999, 3e-4 / (1 - 0.9 * 0.9), std::sqrt(1 - 0.999 * 0.999),
            1e-8,           0.37};
}

Arrays updated(const Passes& by, const Types& types, int64_t begin, int64_t end) {
    Arrays arrays = arraysOf(types);
    by.adamw(factors(),
             {types.masters, arrays.masters.data(), arrays.first.data(), arrays.second.data(), types.moments, kDraws,
              arrays.gradients.data(), types.gradients, arrays.version.data(), types.version},
             begin, end);
    return arrays;
}

// The recurrence element by element: `volatile` keeps every rounding.
Arrays expectedOf(const Types& types, int64_t begin, int64_t end) {
    Arrays arrays = arraysOf(types);
    const AdamWFactors f = factors();
    const auto run = [&]<class T>(T*) {
        for (int64_t i = begin; i < end; ++i) {
            const auto at = [&](Bytes& bytes) { return reinterpret_cast<T*>(bytes.data()) + i; };
            volatile T g = types.gradients == DType::kBF16
                               ? static_cast<T>(fromBf16(reinterpret_cast<uint16_t*>(arrays.gradients.data())[i]))
                               : *at(arrays.gradients);
            g = g * static_cast<T>(f.gradientScale);
            const bool half = types.moments == DType::kBF16;
            auto* firsts = reinterpret_cast<uint16_t*>(arrays.first.data());
            auto* seconds = reinterpret_cast<uint16_t*>(arrays.second.data());
            volatile T m = half ? static_cast<T>(fromBf16(firsts[i])) : *at(arrays.first);
            volatile T v = half ? static_cast<T>(fromBf16(seconds[i])) : *at(arrays.second);
            volatile T p = *at(arrays.masters);
            volatile T t = g - m;
            t = static_cast<T>(f.take1) * t;
            m = m + t;
            volatile T u = static_cast<T>(f.take2) * g;
            u = u * g;
            v = v * static_cast<T>(f.keep2);
            v = v + u;
            volatile T d = std::sqrt(static_cast<T>(v));
            d = d / static_cast<T>(f.root2);
            d = d + static_cast<T>(f.epsilon);
            t = m / d;
            t = static_cast<T>(f.stepSize) * t;
            p = p * static_cast<T>(f.decay);
            p = p - t;
            if (half) {
                firsts[i] = roundedAtRandom(i, false, static_cast<float>(m));
                seconds[i] = roundedAtRandom(i, true, static_cast<float>(v));
            } else {
                *at(arrays.first) = m;
                *at(arrays.second) = v;
            }
            *at(arrays.masters) = p;
            if (types.version == DType::kBF16 || types.version == DType::kF16) {
                const auto value = static_cast<float>(p);
                reinterpret_cast<uint16_t*>(arrays.version.data())[i] =
                    types.version == DType::kBF16 ? toBf16(value) : toF16(value);
            } else {
                *at(arrays.version) = p;
            }
        }
    };
    if (types.masters == DType::kF64)
        run(static_cast<double*>(nullptr));
    else
        run(static_cast<float*>(nullptr));
    return arrays;
}

const std::vector<std::pair<int64_t, int64_t>> kRanges = {{0, kCount}, {1, kCount}, {3, 18}, {7, 7}, {64, 1027}};

TEST(Passes, adamwHasTheBitsOfTheRecurrenceWithEveryInstructionSet) {
    for (const Passes* by : passesHere())
        for (const Types& types : allTypes())
            for (const auto& [begin, end] : kRanges) {
                SCOPED_TRACE(std::string(by->name) + ", " + types.name());
                EXPECT_EQ(updated(*by, types, begin, end), expectedOf(types, begin, end)) << begin << " to " << end;
            }
}

TEST(Passes, sumsHaveTheSameBitsWithEveryInstructionSet) {
    const std::vector<float> values = drawn<float>(9, false);
    const std::vector<double> wide = drawn<double>(9, false);
    const Bytes halves = asBf16(values);
    for (const auto& [begin, end] : kRanges) {
        long double expected = 0;
        for (int64_t i = begin; i < end; ++i)
            expected +=
                static_cast<long double>(values[static_cast<std::size_t>(i)]) * values[static_cast<std::size_t>(i)];
        for (const Passes* by : passesHere()) {
            SCOPED_TRACE(by->name);
            const Passes& plain = *passesHere().front();
            const double sum = by->sumOfSquares(DType::kF32, values.data(), begin, end);
            EXPECT_NEAR(sum, static_cast<double>(expected), 1e-13 * static_cast<double>(expected));
            EXPECT_EQ(sum, plain.sumOfSquares(DType::kF32, values.data(), begin, end));
            EXPECT_EQ(by->sumOfSquares(DType::kF64, wide.data(), begin, end),
                      plain.sumOfSquares(DType::kF64, wide.data(), begin, end));
            EXPECT_EQ(by->sumOfSquares(DType::kBF16, halves.data(), begin, end),
                      plain.sumOfSquares(DType::kBF16, halves.data(), begin, end));
        }
    }
}

TEST(Passes, gradientsAreAddedInFullPrecision) {
    const std::vector<float> before = drawn<float>(5, false), values = drawn<float>(6, false);
    const Bytes halves = asBf16(values);
    for (const Passes* by : passesHere())
        for (const bool begins : {false, true})
            for (const auto& [begin, end] : kRanges) {
                std::vector<float> sums = before, halfSums = before, expected = before, halfExpected = before;
                for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                    const float half = fromBf16(toBf16(values[i]));
                    expected[i] = begins ? values[i] : before[i] + values[i];
                    halfExpected[i] = begins ? half : before[i] + half;
                }
                by->addTo(DType::kF32, sums.data(), DType::kF32, values.data(), begins, begin, end);
                by->addTo(DType::kF32, halfSums.data(), DType::kBF16, halves.data(), begins, begin, end);
                EXPECT_EQ(bytesOf(sums), bytesOf(expected)) << by->name;
                EXPECT_EQ(bytesOf(halfSums), bytesOf(halfExpected)) << by->name;
            }
}

TEST(Passes, thePlainestOnesAreAlwaysHere) {
    ASSERT_FALSE(passesHere().empty());
    EXPECT_STREQ(passesHere().front()->name, "baseline");
    EXPECT_EQ(&passes(), passesHere().back());
}

} // namespace
} // namespace roundpipe::optim
