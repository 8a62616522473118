// SPDX-License-Identifier: GPL-3.0-or-later
// Packed weights: what is packed is the nearest that the format has, and unpacking gives what the format says.
#include "base/fp8.h"
#include "base/mxfp4.h"
#include "base/nf4.h"
#include "kernels/packing.h"
#include "test_matrix.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace roundpipe::kernels {
namespace {

const Target kCpu;

INSTANTIATE_TEST_SUITE_P(Kernels, EveryType, ::testing::ValuesIn(kFloatingTypes), nameOfType);

struct Nf4Tensor {
    explicit Nf4Tensor(const std::vector<float>& values)
        : codes((values.size() + 1) / 2)
        , magnitudes(static_cast<std::size_t>(numNf4Blocks(std::ssize(values))))
        , magnitudeCodes(magnitudes.size())
        , scales(static_cast<std::size_t>(numNf4Scales(std::ssize(magnitudes)))) {
        packNf4Values(values.data(), std::ssize(values), codes.data(), magnitudes.data());
        packNf4Magnitudes(magnitudes.data(), std::ssize(magnitudes), magnitudeCodes.data(), scales.data(), &mean);
    }
    Nf4Parts parts() const { return {codes.data(), magnitudeCodes.data(), scales.data(), &mean}; }
    int code(int64_t value) const {
        return codes[static_cast<std::size_t>(value / 2)] >> (value % 2 == 0 ? 4 : 0) & 15;
    }
    // As it is unpacked: fp32, with a rounding for each operation.
    float magnitude(int64_t block) const {
        const float product = kDynamicCode[magnitudeCodes[static_cast<std::size_t>(block)]] *
                              scales[static_cast<std::size_t>(block / kNf4Scales)];
        return product + mean;
    }

    std::vector<uint8_t> codes;
    std::vector<float> magnitudes;
    std::vector<uint8_t> magnitudeCodes;
    std::vector<float> scales;
    float mean = 0;
};

std::vector<float> drawn(int64_t count, uint64_t seed) {
    TestMatrix matrix(DType::kF32, 1, count);
    matrix.random(seed, 0.05);
    std::vector<float> values;
    for (int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(matrix.get(0, i)));
    return values;
}

double distance(double value, double other) {
    return std::abs(value - other);
}

TEST(DynamicCode, isWhatItsPaperSays) {
    EXPECT_EQ(std::ranges::adjacent_find(kDynamicCode, std::greater_equal<float>()), kDynamicCode.end());
    EXPECT_EQ(kDynamicCode[127], 0.0f);
    EXPECT_EQ(kDynamicCode[255], 1.0f);
    for (std::size_t i = 0; i < 127; ++i)
        EXPECT_EQ(kDynamicCode[i], -kDynamicCode[254 - i]) << "but for 1, which has no counterpart";
    EXPECT_FLOAT_EQ(kDynamicCode[128], 5.5e-7f) << "the middle of [0.1, 1], times 1e-6";
    EXPECT_FLOAT_EQ(kDynamicCode[254], (1.0f + (1 - 0.9f / 64)) / 2) << "the last of 64 parts";
    // As bitsandbytes has them, to the bit: roundings differ in a hair's breadth of ways.
    EXPECT_EQ(kDynamicCode[129], 0x1.b43528p-19f);
    EXPECT_EQ(kDynamicCode[131], 0x1.64840cp-16f);
    EXPECT_EQ(kDynamicCode[137], 0x1.8fc506p-12f);
}

TEST(PackNf4, takesTheNearestValueOfEachBlock) {
    for (const int64_t count : {1, 63, 64, 65, 1000, 64 * 300 + 7}) {
        const std::vector<float> values = drawn(count, static_cast<uint64_t>(count));
        const Nf4Tensor packed(values);
        for (int64_t i = 0; i < count; ++i) {
            const int64_t block = i / kNf4Block, end = std::min(count, (block + 1) * kNf4Block);
            float largest = 0;
            for (int64_t k = block * kNf4Block; k < end; ++k)
                largest = std::max(largest, std::abs(values[static_cast<std::size_t>(k)]));
            ASSERT_EQ(packed.magnitudes[static_cast<std::size_t>(block)], largest);
            const double scaled = static_cast<double>(values[static_cast<std::size_t>(i)] / largest);
            const double chosen =
                distance(scaled, static_cast<double>(kNf4Values[static_cast<std::size_t>(packed.code(i))]));
            for (const float other : kNf4Values)
                ASSERT_LE(chosen, distance(scaled, static_cast<double>(other)) + 1e-7) << "value " << i;
        }
    }
}

TEST(PackNf4, putsTheFirstOfTwoCodesAboveTheSecond) {
    const Nf4Tensor packed({-1.0f, 1.0f, 0.0f});
    EXPECT_EQ(packed.codes, (std::vector<uint8_t>{0x0F, 0x77})) << "behind an odd number stands zero's";
}

TEST(PackNf4, takesTheNearestOfMagnitudesAroundTheirMean) {
    const Nf4Tensor packed(drawn(64 * 700 + 1, 5));
    double mean = 0;
    for (const float magnitude : packed.magnitudes)
        mean += static_cast<double>(magnitude) / static_cast<double>(packed.magnitudes.size());
    EXPECT_FLOAT_EQ(packed.mean, static_cast<float>(mean));
    for (std::size_t b = 0; b < packed.magnitudes.size(); ++b) {
        const auto scale = static_cast<double>(packed.scales[b / 256]);
        const double rest = static_cast<double>(packed.magnitudes[b] - packed.mean);
        const double chosen = distance(rest, scale * static_cast<double>(kDynamicCode[packed.magnitudeCodes[b]]));
        for (const float other : kDynamicCode)
            ASSERT_LE(chosen, distance(rest, scale * static_cast<double>(other)) + 1e-8) << "block " << b;
    }
}

TEST(PackNf4, keepsZeros) {
    const Nf4Tensor packed(std::vector<float>(200, 0.0f));
    TestMatrix out(DType::kF32, 2, 100);
    unpackNf4(kCpu, packed.parts(), out.view());
    for (int64_t c = 0; c < 100; ++c)
        EXPECT_EQ(out.get(1, c), 0);
}

// Blocks that end within rows, and rows with something between them.
TEST_P(EveryType, unpackNf4GivesEachValueRoundedOnce) {
    for (const auto& [rows, cols] : {std::pair<int64_t, int64_t>{7, 129}, {3, 1024}, {40, 72}}) {
        const Nf4Tensor packed(drawn(rows * cols, 9));
        TestMatrix out(GetParam(), rows, cols, 5);
        unpackNf4(kCpu, packed.parts(), out.view());
        TestMatrix expected(GetParam(), 1, 1);
        for (int64_t i = 0; i < rows * cols; ++i) {
            const float value = kNf4Values[static_cast<std::size_t>(packed.code(i))] * packed.magnitude(i / kNf4Block);
            expected.set(0, 0, static_cast<double>(value));
            ASSERT_EQ(out.get(i / cols, i % cols), expected.get(0, 0)) << i;
        }
    }
}

TEST_P(EveryType, unpackInt8GivesBackRowsWithinHalfAStep) {
    constexpr int64_t kRows = 5, kCols = 300;
    std::vector<float> values = drawn(kRows * kCols, 11), scales(kRows);
    std::fill_n(values.begin() + 2 * kCols, kCols, 0.0f);
    std::vector<int8_t> packed(values.size());
    for (int64_t row = 0; row < kRows; ++row)
        packInt8Row(values.data() + row * kCols, kCols, packed.data() + row * kCols,
                    &scales[static_cast<std::size_t>(row)]);
    TestMatrix out(GetParam(), kRows, kCols, 3), expected(GetParam(), 1, 1);
    unpackInt8(kCpu, packed.data(), scales.data(), out.view());
    for (int64_t i = 0; i < kRows * kCols; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const float scale = scales[static_cast<std::size_t>(i / kCols)];
        const float value = static_cast<float>(packed[at]) * scale * kInt8Part;
        ASSERT_LE(std::abs(value - values[at]), 0.5001f * scale / 127) << i;
        expected.set(0, 0, static_cast<double>(value));
        ASSERT_EQ(out.get(i / kCols, i % kCols), expected.get(0, 0)) << i;
    }
}

TEST(E4m3, everyCodeIsItsOwnValueAndOthersGoToTheNearest) {
    std::vector<float> values; // from 0 up
    for (int code = 0; code < 0x7f; ++code) {
        const float value = fromE4m3(static_cast<uint8_t>(code));
        values.push_back(value);
        EXPECT_EQ(toE4m3(value), code);
        EXPECT_EQ(toE4m3(-value), code | 0x80);
        EXPECT_EQ(fromE4m3(static_cast<uint8_t>(code | 0x80)), -value);
    }
    EXPECT_EQ(values[1], 0x1p-9f);
    EXPECT_EQ(values.back(), kLargestE4m3);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        ASSERT_LT(values[i], values[i + 1]);
        const float middle = (values[i] + values[i + 1]) / 2;
        EXPECT_EQ(toE4m3(middle), i + i % 2) << "to even";
        EXPECT_EQ(toE4m3(std::nextafter(middle, 0.0f)), i);
        EXPECT_EQ(toE4m3(std::nextafter(middle, 500.0f)), i + 1);
    }
    EXPECT_EQ(toE4m3(1e30f), 0x7e);
    EXPECT_EQ(toE4m3(-std::numeric_limits<float>::infinity()), 0xfe);
    EXPECT_EQ(toE4m3(std::numeric_limits<float>::quiet_NaN()) & 0x7f, 0x7f);
    EXPECT_TRUE(std::isnan(fromE4m3(0x7f)) && std::isnan(fromE4m3(0xff)));
}

TEST_P(EveryType, unpackFp8GivesBackRowsWithinHalfAUnitOfTheirLastBit) {
    constexpr int64_t kRows = 5, kCols = 300;
    std::vector<float> values = drawn(kRows * kCols, 12), scales(kRows);
    std::fill_n(values.begin() + 2 * kCols, kCols, 0.0f);
    std::fill_n(values.begin() + 3 * kCols, kCols, 0x1p-120f); // next to nothing
    std::vector<uint8_t> codes(values.size());
    for (int64_t row = 0; row < kRows; ++row)
        packFp8Row(values.data() + row * kCols, kCols, codes.data() + row * kCols,
                   &scales[static_cast<std::size_t>(row)]);
    TestMatrix out(GetParam(), kRows, kCols, 3), expected(GetParam(), 1, 1);
    unpackFp8(kCpu, codes.data(), scales.data(), out.view());
    for (int64_t i = 0; i < kRows * kCols; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const float scale = scales[static_cast<std::size_t>(i / kCols)], value = fromE4m3(codes[at]) * scale;
        const float step = std::max(std::abs(values[at]) / 16, 0x1p-10f * scale); // half a unit
        ASSERT_LE(std::abs(value - values[at]), 1.0001f * step + 0x1p-119f) << i;
        expected.set(0, 0, static_cast<double>(value));
        ASSERT_EQ(out.get(i / kCols, i % kCols), expected.get(0, 0)) << i;
    }
}

// Groups go on from row to row.
TEST_P(EveryType, unpackMxfp4GivesTheNearestValuesOfEachGroup) {
    constexpr int64_t kRows = 5, kCols = 77;
    std::vector<float> values = drawn(kRows * kCols, 14);
    std::fill_n(values.begin() + kMxfp4Group, kMxfp4Group, 0.0f);
    std::vector<uint8_t> codes((values.size() + 1) / 2);
    std::vector<uint8_t> scales(static_cast<std::size_t>(numMxfp4Groups(std::ssize(values))));
    packMxfp4Values(values.data(), std::ssize(values), codes.data(), scales.data());
    TestMatrix out(GetParam(), kRows, kCols, 3);
    unpackMxfp4(kCpu, codes.data(), scales.data(), out.view());
    std::vector<float> again;
    for (int64_t i = 0; i < kRows * kCols; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double scale = std::ldexp(1.0, scales[at / static_cast<std::size_t>(kMxfp4Group)] - 127);
        double nearest = std::numeric_limits<double>::infinity();
        for (const float value : kE2m1Values)
            nearest = std::min(nearest, distance(static_cast<double>(value) * scale, static_cast<double>(values[at])));
        const double got = out.get(i / kCols, i % kCols);
        ASSERT_EQ(distance(got, static_cast<double>(values[at])), nearest) << i;
        again.push_back(static_cast<float>(got));
    }
    EXPECT_TRUE(out.gapsUntouched());
    // What was packed once packs to itself, whatever is left of a group's largest value.
    std::vector<uint8_t> codesAgain(codes.size()), scalesAgain(scales.size());
    packMxfp4Values(again.data(), std::ssize(again), codesAgain.data(), scalesAgain.data());
    TestMatrix second(GetParam(), kRows, kCols, 3);
    unpackMxfp4(kCpu, codesAgain.data(), scalesAgain.data(), second.view());
    EXPECT_TRUE(second.sameBitsAs(out));
}

// By hand: 6, -0.5 and what lies in the middle of two values goes to the even code.
TEST(PackMxfp4, putsTheFirstOfTwoCodesBelowTheSecond) {
    std::vector<float> values(static_cast<std::size_t>(kMxfp4Group), 0.0f);
    values[0] = 6;
    values[1] = -0.5f;
    values[2] = 2.5f;
    values[3] = 0.75f;
    values[4] = 7.9f; // nearest to 6, the largest
    std::vector<uint8_t> codes(static_cast<std::size_t>(kMxfp4Group) / 2);
    uint8_t scale = 0;
    packMxfp4Values(values.data(), kMxfp4Group, codes.data(), &scale);
    EXPECT_EQ(scale, 127);
    EXPECT_EQ(codes[0], 0x97);
    EXPECT_EQ(codes[1], 0x24);
    EXPECT_EQ(codes[2], 0x07);
    EXPECT_EQ(fromE8m0(127), 1.0f);
    EXPECT_EQ(fromE8m0(0), 0x1p-127f);
    EXPECT_EQ(fromE8m0(254), 0x1p127f);
}

TEST_P(EveryType, rowsAreQuantisedByTheirLargestValue) {
    constexpr int64_t kRows = 4, kCols = 600, kFirst = 280;
    TestMatrix x(GetParam(), kRows, kCols, 3);
    const std::vector<float> values = drawn(kRows * kCols, 13), factors = drawn(kCols, 14);
    for (int64_t i = 0; i < kRows * kCols; ++i)
        x.set(i / kCols, i % kCols, i / kCols == 2 ? 0 : static_cast<double>(values[static_cast<std::size_t>(i)]));
    const ColumnFactors parts[] = {{kFirst, factors.data()}, {kCols - kFirst, factors.data() + kFirst}};
    for (const std::size_t count : {0, 2}) {
        std::vector<uint8_t> codes(kRows * kCols);
        std::vector<float> scales(kRows, -1.0f);
        quantiseFp8(kCpu, x.view(), std::span(parts).first(count), {codes.data(), scales.data()});
        for (int64_t row = 0; row < kRows; ++row) {
            std::vector<float> wanted;
            float largest = 0;
            for (int64_t c = 0; c < kCols; ++c) {
                const float factor = count > 0 ? factors[static_cast<std::size_t>(c)] : 1;
                wanted.push_back(static_cast<float>(x.get(row, c)) * factor);
                largest = std::max(largest, std::abs(wanted.back()));
            }
            const float scale = scales[static_cast<std::size_t>(row)];
            ASSERT_EQ(scale, largest / kLargestE4m3);
            int most = 0;
            for (int64_t c = 0; c < kCols; ++c) {
                const auto code = codes[static_cast<std::size_t>(row * kCols + c)];
                const float value = wanted[static_cast<std::size_t>(c)];
                ASSERT_NEAR(fromE4m3(code) * scale, value, std::max(std::abs(value) / 15.99f, 0x1.01p-10f * scale));
                most = std::max(most, code & 0x7f);
            }
            EXPECT_EQ(most, row == 2 ? 0 : 0x7e);
        }
    }
}

TEST(QuantiseFp8, keepsWhatIsNoNumber) {
    TestMatrix x(DType::kBF16, 2, 4);
    x.set(0, 1, std::numeric_limits<double>::quiet_NaN());
    x.set(0, 2, 3);
    x.set(1, 3, std::numeric_limits<double>::infinity());
    for (const auto& [row, col] : {std::pair{0, 0}, {0, 3}, {1, 0}, {1, 1}, {1, 2}})
        x.set(row, col, 1);
    std::vector<uint8_t> codes(8);
    std::vector<float> scales(2);
    quantiseFp8(kCpu, x.view(), {}, {codes.data(), scales.data()});
    EXPECT_TRUE(std::isnan(fromE4m3(codes[1])));
    EXPECT_EQ(fromE4m3(codes[2]) * scales[0], 3);
    EXPECT_TRUE(std::isnan(fromE4m3(codes[7])));
    EXPECT_TRUE(std::isinf(scales[1]));
}

TEST(TransposeCodes, swapsRowsAndColumns) {
    constexpr int64_t kRows = 70, kCols = 131;
    std::vector<uint8_t> codes, out(kRows * kCols);
    for (int64_t i = 0; i < kRows * kCols; ++i)
        codes.push_back(static_cast<uint8_t>(i * 7 + i / kCols));
    transposeCodes(kCpu, codes.data(), kRows, kCols, out.data());
    for (int64_t i = 0; i < kRows * kCols; ++i)
        ASSERT_EQ(out[static_cast<std::size_t>(i % kCols * kRows + i / kCols)], codes[static_cast<std::size_t>(i)]);
}

} // namespace
} // namespace roundpipe::kernels
