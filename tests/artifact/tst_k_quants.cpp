// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/ggml_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace roundpipe::artifact {
namespace {

constexpr int64_t kCols = 512, kRows = 8;

std::vector<float> weights(double outliers) {
    std::mt19937 random(7);
    std::normal_distribution<float> usual(0.01f, 0.05f), large(0, 0.6f);
    std::bernoulli_distribution isLarge(outliers);
    std::vector<float> values(kRows * kCols);
    for (float& value : values)
        value = isLarge(random) ? large(random) : usual(random);
    return values;
}

std::vector<float> throughType(GgmlType type, const std::vector<float>& values, int64_t cols = kCols) {
    const auto rows = static_cast<int64_t>(values.size()) / cols;
    std::vector<std::byte> blocks(static_cast<std::size_t>(rows) * rowBytes(type, cols));
    EXPECT_TRUE(encodeRows(type, values.data(), rows, cols, blocks.data()));
    std::vector<float> back(values.size());
    decodeRows(type, blocks.data(), rows, cols, back.data());
    return back;
}

// Root of the mean squared error over that of the values.
double relativeError(const std::vector<float>& values, const std::vector<float>& back) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        error += std::pow(static_cast<double>(values[i]) - static_cast<double>(back[i]), 2);
        size += std::pow(static_cast<double>(values[i]), 2);
    }
    return std::sqrt(error / size);
}

// Of a uniform grid of b bits over what a part spans: a part of 32 normal numbers spans about four of their deviations.
TEST(KQuants, errorIsThatOfTheirBits) {
    for (const double outliers : {0.0, 0.02}) {
        const std::vector<float> values = weights(outliers);
        const double wider = outliers > 0 ? 1.6 : 1; // a large one takes the grid from the others of its part
        EXPECT_LT(relativeError(values, throughType(GgmlType::kQ4K, values)), 0.08 * wider);
        EXPECT_LT(relativeError(values, throughType(GgmlType::kQ5K, values)), 0.04 * wider);
        EXPECT_LT(relativeError(values, throughType(GgmlType::kQ6K, values)), 0.02 * wider);
        EXPECT_LT(relativeError(values, throughType(GgmlType::kQ8, values)), 0.008 * wider);
        EXPECT_GT(relativeError(values, throughType(GgmlType::kQ4K, values)),
                  relativeError(values, throughType(GgmlType::kQ5K, values)));
    }
}

// Values that lie on a grid come back as they were: nothing is shifted, swapped between parts, or cut off at an end.
TEST(KQuants, valuesOnAGridComeBack) {
    std::vector<float> affine(256), symmetric(256);
    for (std::size_t i = 0; i < 256; ++i) {
        affine[i] = 0.5f * static_cast<float>((i * 7 + i / 32) % 16) - 2.0f;
        symmetric[i] = 0.25f * (static_cast<float>((i * 5 + i / 16) % 64) - 32.0f);
    }
    const auto largest = [](const std::vector<float>& a, const std::vector<float>& b) {
        float gap = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            gap = std::max(gap, std::abs(a[i] - b[i]));
        return gap;
    };
    EXPECT_LT(largest(affine, throughType(GgmlType::kQ4K, affine, 256)), 0.06f); // scales have 6 bits
    EXPECT_LT(largest(affine, throughType(GgmlType::kQ5K, affine, 256)), 0.06f);
    EXPECT_LT(largest(symmetric, throughType(GgmlType::kQ6K, symmetric, 256)), 0.14f); // 7 bits and a grid of 64
}

TEST(KQuants, zerosAndEqualValuesComeBack) {
    for (const GgmlType type : {GgmlType::kQ4K, GgmlType::kQ5K, GgmlType::kQ6K, GgmlType::kQ8})
        for (const float value : {0.0f, 0.75f, -0.75f}) {
            const std::vector<float> values(256, value);
            for (const float back : throughType(type, values, 256))
                ASSERT_NEAR(back, value, 0.01f) << toString(type);
        }
}

TEST(KQuants, sixteenBitsRoundToEven) {
    const std::vector<float> values = {1.00390625f, 1.01171875f, -3.0f, 65504.0f}; // halfway in bf16: down, then up
    EXPECT_EQ(throughType(GgmlType::kBF16, values, 4), (std::vector<float>{1.0f, 1.015625f, -3.0f, 65536.0f}));
    EXPECT_EQ(throughType(GgmlType::kF32, values, 4), values);
    EXPECT_EQ(throughType(GgmlType::kF16, values, 4), (std::vector<float>{1.00390625f, 1.01171875f, -3.0f, 65504.0f}));
}

TEST(KQuants, refusesWhatNoBlockHolds) {
    std::vector<std::byte> blocks(rowBytes(GgmlType::kQ4K, 256));
    std::vector<float> values(256, 0.5f);
    values[100] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(encodeRows(GgmlType::kQ4K, values.data(), 1, 256, blocks.data()));
    values[100] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(encodeRows(GgmlType::kQ6K, values.data(), 1, 256, blocks.data()));
    values[100] = 70000;
    EXPECT_FALSE(encodeRows(GgmlType::kQ8, values.data(), 1, 256, blocks.data()));
}

} // namespace
} // namespace roundpipe::artifact
