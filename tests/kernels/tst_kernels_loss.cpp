// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/token_batch.h"
#include "test_matrix.h"

namespace roundpipe::kernels {
namespace {

const Target kCpu;

INSTANTIATE_TEST_SUITE_P(Kernels, EveryType, ::testing::ValuesIn(kFloatingTypes), nameOfType);

double logSumExpOf(const TestMatrix& logits, int64_t row) {
    double largest = logits.get(row, 0), sum = 0;
    for (int64_t c = 0; c < logits.cols(); ++c)
        largest = std::max(largest, logits.get(row, c));
    for (int64_t c = 0; c < logits.cols(); ++c)
        sum += std::exp(logits.get(row, c) - largest);
    return largest + std::log(sum);
}

TEST_P(EveryType, crossEntropyGivesLossesAndGradients) {
    for (const int64_t vocabulary : {1, 17, 4099}) {
        TestMatrix logits(GetParam(), 4, vocabulary), losses(statisticsType(GetParam()), 1, 4);
        logits.random(60, 20);
        const TestMatrix before = logits;
        const int32_t labels[] = {0, static_cast<int32_t>(vocabulary - 1), kIgnoredLabel,
                                  static_cast<int32_t>(vocabulary / 2)};
        crossEntropy(kCpu, logits.view(), labels, 0, losses.data());
        EXPECT_TRUE(logits.sameBitsAs(before)); // no gradient asked for
        const TestMatrix lossesAlone = losses;
        crossEntropy(kCpu, logits.view(), labels, 0.25, losses.data());
        EXPECT_TRUE(losses.sameBitsAs(lossesAlone));
        const double tolerance = GetParam() == DType::kF64 ? 1e-12 : 3e-6;
        double logSumExps[4];
        for (int64_t r = 0; r < 4; ++r) {
            logSumExps[r] = logSumExpOf(before, r);
            const double expected = labels[r] < 0 ? 0 : logSumExps[r] - before.get(r, labels[r]);
            EXPECT_NEAR(losses.get(0, r), expected, tolerance * (1 + expected));
        }
        expectNear(logits, roundingOf(GetParam()) / 4 + 1e-7 * (GetParam() != DType::kF64), [&](int64_t r, int64_t c) {
            if (labels[r] < 0) return 0.0;
            return 0.25 * (std::exp(before.get(r, c) - logSumExps[r]) - (c == labels[r] ? 1 : 0));
        });
    }
}

TEST(CrossEntropy, replacesLogitsByTheGradientOfTheLoss) {
    TestMatrix logits(DType::kF64, 2, 9), losses(DType::kF64, 1, 2);
    logits.random(61, 3);
    const int32_t labels[] = {4, 8};
    TestMatrix gradient = logits;
    crossEntropy(kCpu, gradient.view(), labels, 1, losses.data());
    expectGradient(logits, gradient, [&] {
        crossEntropy(kCpu, logits.view(), labels, 0, losses.data());
        return losses.get(0, 0) + losses.get(0, 1);
    });
}

TEST(CrossEntropy, marksALabelBeyondTheVocabulary) {
    TestMatrix logits(DType::kF32, 1, 9), losses(DType::kF32, 1, 1);
    logits.random(62);
    const int32_t label = 9;
    crossEntropy(kCpu, logits.view(), &label, 0, losses.data());
    EXPECT_TRUE(std::isnan(losses.get(0, 0)));
}

TEST(CrossEntropy, survivesLargeLogits) {
    TestMatrix logits(DType::kF32, 1, 3), losses(DType::kF32, 1, 1);
    logits.set(0, 0, 30000);
    logits.set(0, 1, -30000);
    logits.set(0, 2, 0);
    const int32_t label = 0;
    crossEntropy(kCpu, logits.view(), &label, 1, losses.data());
    EXPECT_EQ(losses.get(0, 0), 0);
    for (int64_t c = 0; c < 3; ++c)
        EXPECT_EQ(logits.get(0, c), 0);
}

TEST(SumInto, addsToWhatIsThere) {
    for (const DType type : {DType::kF32, DType::kF64}) {
        TestMatrix values(type, 1, 100003);
        values.random(63);
        double expected = 1.5, total = 1.5, again = 1.5;
        for (int64_t c = 0; c < values.cols(); ++c)
            expected += values.get(0, c);
        sumInto(kCpu, values.data(), type, values.cols(), &total);
        sumInto(kCpu, values.data(), type, values.cols(), &again);
        EXPECT_NEAR(total, expected, 1e-9);
        EXPECT_EQ(total, again);
    }
}

} // namespace
} // namespace roundpipe::kernels
