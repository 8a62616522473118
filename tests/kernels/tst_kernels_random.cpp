// SPDX-License-Identifier: GPL-3.0-or-later
#include "test_matrix.h"

#include <array>

namespace roundpipe::kernels {
namespace {

const Target kCpu;

std::array<uint32_t, 4> draw(uint64_t key, uint64_t low, uint64_t high) {
    const Philox4 result = philox(key, low, high);
    return {result.values[0], result.values[1], result.values[2], result.values[3]};
}

// The known answers that come with Random123 for philox4x32, 10 rounds.
TEST(Philox, givesThePublishedAnswers) {
    EXPECT_EQ(draw(0, 0, 0), (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    EXPECT_EQ(draw(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}),
              (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(draw(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
              (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, uniformStaysBelowOne) {
    EXPECT_EQ(uniform(0), 0.0f);
    EXPECT_LT(uniform(~0u), 1.0f);
    EXPECT_GT(uniform(~0u), 0.9999f);
}

TEST(Scalar, halfTypesSurviveARoundTripThroughFloat) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const BF16 bf16{static_cast<uint16_t>(bits)};
        if (std::isnan(widen(bf16)))
            EXPECT_TRUE(std::isnan(widen(narrow<BF16>(widen(bf16)))));
        else
            ASSERT_EQ(narrow<BF16>(widen(bf16)).bits, bf16.bits);
        const F16 f16{static_cast<uint16_t>(bits)};
        if (std::isnan(widen(f16)))
            EXPECT_TRUE(std::isnan(widen(narrow<F16>(widen(f16)))));
        else
            ASSERT_EQ(narrow<F16>(widen(f16)).bits, f16.bits);
    }
}

TEST(Scalar, knownHalfValues) {
    EXPECT_EQ(widen(F16{0x3c00}), 1.0f);
    EXPECT_EQ(widen(F16{0x0001}), 0x1p-24f);
    EXPECT_EQ(widen(F16{0x7bff}), 65504.0f);
    EXPECT_EQ(widen(F16{0xfc00}), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(widen(BF16{0x3f80}), 1.0f);
    EXPECT_EQ(narrow<F16>(65519.0f).bits, 0x7bff);
    EXPECT_EQ(narrow<F16>(65520.0f).bits, 0x7c00);
    EXPECT_EQ(narrow<F16>(1e9f).bits, 0x7c00);
    EXPECT_EQ(narrow<F16>(0x1p-26f).bits, 0);
}

// Between two neighbours the nearer wins, the middle goes to the even one.
template <class T>
void checkRounding(uint32_t lastFinite) {
    for (uint32_t bits = 0; bits < lastFinite; ++bits) {
        const T low{static_cast<uint16_t>(bits)}, high{static_cast<uint16_t>(bits + 1)};
        const float middle = 0.5f * widen(low) + 0.5f * widen(high);
        ASSERT_EQ(narrow<T>(middle).bits, bits % 2 == 0 ? low.bits : high.bits);
        ASSERT_EQ(narrow<T>(std::nextafter(middle, 0.0f)).bits, low.bits);
        ASSERT_EQ(narrow<T>(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits, high.bits);
        ASSERT_EQ(narrow<T>(-middle).bits, narrow<T>(middle).bits | 0x8000);
    }
}
TEST(Scalar, roundsToNearestEven) {
    checkRounding<F16>(0x7bff);
    checkRounding<BF16>(0x7f00);
}

struct Rows {
    std::vector<int64_t> exampleIds;
    std::vector<int32_t> starts, positions;
    std::vector<uint64_t> keys() const {
        std::vector<uint64_t> result(positions.size());
        makeRowKeys(kCpu, 7, 3, exampleIds.data(), starts.data(), static_cast<int64_t>(exampleIds.size()),
                    positions.data(), static_cast<int64_t>(positions.size()), result.data());
        return result;
    }
};

TEST(Dropout, keepsTheRightShareAndScalesIt) {
    const int64_t rows = 200, cols = 501;
    std::vector<uint64_t> keys(rows);
    for (uint64_t t = 0; t < rows; ++t)
        keys[t] = mixKey(t, 1, 2, 3);
    for (const double probability : {0.0, 0.05, 0.5, 1.0}) {
        TestMatrix x(DType::kF32, rows, cols), out(DType::kF32, rows, cols);
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < cols; ++c)
                x.set(r, c, 2);
        dropout(kCpu, x.view(), keys.data(), 11, probability, out.view());
        int64_t kept = 0;
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < cols; ++c) {
                if (out.get(r, c) == 0) continue;
                ++kept;
                ASSERT_NEAR(out.get(r, c), 2 / (1 - probability), 1e-6);
            }
        const double n = static_cast<double>(rows * cols);
        EXPECT_NEAR(static_cast<double>(kept) / n, 1 - probability,
                    5 * std::sqrt(probability * (1 - probability) / n) + 1e-12);
        EXPECT_TRUE(out.gapsUntouched());
    }
}

TEST(Dropout, followsTheExampleWhateverThePacking) {
    const Rows first{{40, 41}, {0, 2, 5}, {0, 1, 0, 1, 2}};
    const Rows second{{41, 99, 40}, {0, 3, 3, 5}, {0, 1, 2, 0, 1}}; // the other way round, an empty example between
    const std::vector<uint64_t> a = first.keys(), b = second.keys();
    EXPECT_EQ(a[0], b[3]);
    EXPECT_EQ(a[1], b[4]);
    EXPECT_EQ(a[2], b[0]);
    EXPECT_EQ(a[4], b[2]);
    EXPECT_NE(a[0], a[2]);
    TestMatrix x(DType::kBF16, 5, 37), outA(DType::kBF16, 5, 37), outB(DType::kBF16, 5, 37);
    for (int64_t r = 0; r < 5; ++r)
        for (int64_t c = 0; c < 37; ++c)
            x.set(r, c, 1);
    dropout(kCpu, x.view(), a.data(), 5, 0.5, outA.view());
    dropout(kCpu, x.view(), b.data(), 5, 0.5, outB.view());
    for (int64_t c = 0; c < 37; ++c)
        EXPECT_EQ(outA.get(2, c), outB.get(0, c));
}

TEST(Dropout, differsByStepSeedAndModule) {
    const auto maskOf = [](uint64_t seed, int64_t step, uint64_t module) {
        const int64_t example = 1;
        const int32_t starts[] = {0, 1}, position = 0;
        uint64_t key = 0;
        makeRowKeys(kCpu, seed, step, &example, starts, 1, &position, 1, &key);
        TestMatrix x(DType::kF32, 1, 256), out(DType::kF32, 1, 256);
        for (int64_t c = 0; c < 256; ++c)
            x.set(0, c, 1);
        dropout(kCpu, x.view(), &key, module, 0.5, out.view());
        std::vector<bool> mask;
        for (int64_t c = 0; c < 256; ++c)
            mask.push_back(out.get(0, c) != 0);
        return mask;
    };
    const std::vector<bool> mask = maskOf(1, 1, 1);
    EXPECT_EQ(mask, maskOf(1, 1, 1));
    EXPECT_NE(mask, maskOf(2, 1, 1));
    EXPECT_NE(mask, maskOf(1, 2, 1));
    EXPECT_NE(mask, maskOf(1, 1, 2));
}

} // namespace
} // namespace roundpipe::kernels
