// SPDX-License-Identifier: GPL-3.0-or-later
// AdamW against the published recurrence in long double, schedules against transformers' values.
#include "base/half_bits.h"
#include "optim/adamw.h"
#include "optim/clipping.h"
#include "optim/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

namespace roundpipe::optim {
namespace {

TEST(AdamW, followsTheRecurrence) {
    const AdamWConfig config{0.9, 0.99, 1e-8, 0.1};
    const std::array<LayerParameters, 2> layers{{{0}, {1}}};
    ThreadTeam alone;
    AdamW adamw(config, DType::kF64, DType::kF64, layers);
    double parameter = 0.5;
    long double p = 0.5L, m = 0, v = 0;
    for (int64_t step = 1; step <= 20; ++step) {
        const double gradient = std::sin(static_cast<double>(step));
        double version = 0;
        adamw.update(LayerId(1), {&parameter, &gradient, DType::kF64, &version, DType::kF64}, {1e-2, step, 0.5}, alone);
        EXPECT_EQ(version, parameter);
        const long double g = gradient * 0.5L;
        m = 0.9L * m + 0.1L * g;
        v = 0.99L * v + 0.01L * g * g;
        p -= 1e-2L * 0.1L * p;
        p -= 1e-2L * (m / (1 - std::pow(0.9L, step))) / (std::sqrt(v / (1 - std::pow(0.99L, step))) + 1e-8L);
        EXPECT_NEAR(parameter, static_cast<double>(p), 1e-12) << "step " << step;
    }
}

TEST(AdamW, firstStepMovesByTheLearningRate) {
    const std::array<LayerParameters, 1> layers{{{3}}};
    ThreadTeam alone;
    AdamW adamw({}, DType::kF32, DType::kF32, layers);
    std::array<float, 3> parameters = {1, 1, 1};
    const std::array<float, 3> gradients = {5, -0.001F, 0};
    std::array<float, 3> version{};
    adamw.update(LayerId(0), {parameters.data(), gradients.data(), DType::kF32, version.data(), DType::kF32},
                 {0.01, 1, 1}, alone);
    EXPECT_EQ(version, parameters);
    EXPECT_NEAR(parameters[0], 0.99F, 1e-6);
    EXPECT_NEAR(parameters[1], 1.01F, 1e-4);
    EXPECT_EQ(parameters[2], 1.0F);
}

TEST(AdamW, leavesNamedRangesUndecayed) {
    const AdamWConfig config{0.9, 0.999, 1e-8, 0.5};
    const std::array<LayerParameters, 1> layers{{{100'000, {{2, 4}, {40'000, 70'001}, {99'999, 100'000}}}}};
    AdamW adamw(config, DType::kF64, DType::kF64, layers);
    std::vector<double> parameters(100'000, 1.0);
    const std::vector<double> gradients(100'000, 0.0); // nothing else moves them
    std::vector<double> version(100'000);
    ThreadTeam team(3);
    adamw.update(LayerId(0), {parameters.data(), gradients.data(), DType::kF64, version.data(), DType::kF64},
                 {0.1, 1, 1}, team);
    EXPECT_EQ(version, parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const bool isUndecayed = (i >= 2 && i < 4) || (i >= 40'000 && i < 70'001) || i == 99'999;
        ASSERT_EQ(parameters[i], isUndecayed ? 1.0 : 0.95) << i;
    }
}

TEST(AdamW, givesTheSameBitsToATeam) {
    constexpr int64_t kCount = 300'001;
    const std::array<LayerParameters, 1> layers{{{kCount}}};
    std::vector<float> gradients(kCount);
    for (std::size_t i = 0; i < gradients.size(); ++i)
        gradients[i] = std::sin(static_cast<float>(i));
    const auto trained = [&](int numThreads) {
        ThreadTeam team(numThreads);
        AdamW adamw({}, DType::kF32, DType::kF32, layers);
        std::vector<float> parameters(kCount, 1.0F), version(kCount);
        for (int64_t step = 1; step <= 3; ++step)
            adamw.update(LayerId(0), {parameters.data(), gradients.data(), DType::kF32, version.data(), DType::kF32},
                         {1e-3, step, 0.7}, team);
        EXPECT_EQ(version, parameters);
        return parameters;
    };
    EXPECT_EQ(trained(4), trained(1));
}

// A second moment of 1 decays by a thousandth a step, which nearest bf16 cannot tell from none.
TEST(AdamW, halfMomentsFollowTheRecurrenceOnAverage) {
    constexpr int64_t kCount = 70'000, kNumSteps = 700; // several threads take a part
    const std::array<LayerParameters, 1> layers{{{kCount}}};
    AdamWConfig config;
    const auto trained = [&](uint64_t seed, int numThreads) {
        config.seed = seed;
        AdamW adamw(config, DType::kF32, DType::kBF16, layers);
        std::vector<float> parameters(kCount, 1.0F), gradients(kCount, 30.0F), version(kCount);
        ThreadTeam team(numThreads);
        for (int64_t step = 1; step <= kNumSteps; ++step) {
            adamw.update(LayerId(0), {parameters.data(), gradients.data(), DType::kF32, version.data(), DType::kF32},
                         {1e-5, step, 1}, team);
            if (step == 1) std::ranges::fill(gradients, 0.02F);
        }
        double sums[2] = {};
        for (int moment = 0; moment < 2; ++moment) {
            const auto bytes = moment == 0 ? adamw.firstMoment(LayerId(0)) : adamw.secondMoment(LayerId(0));
            EXPECT_EQ(bytes.size(), 2u * kCount);
            for (int64_t i = 0; i < kCount; ++i)
                sums[moment] += fromBf16(reinterpret_cast<const uint16_t*>(bytes.data())[i]);
        }
        return std::make_tuple(parameters, sums[0] / kCount, sums[1] / kCount);
    };
    const auto [parameters, first, second] = trained(3, 1);
    EXPECT_NEAR(first, 0.02, 2e-4);
    double expected = 0.9;
    for (int64_t step = 2; step <= kNumSteps; ++step)
        expected = expected * 0.999 + 0.001 * 0.0004;
    EXPECT_NEAR(second / expected, 1, 0.01);
    EXPECT_EQ(std::get<0>(trained(3, 3)), parameters) << "the team shows";
    EXPECT_NE(std::get<0>(trained(4, 1)), parameters) << "the seed does not show";
}

// Means of many draws of one value, within five of their standard deviations; neighbours in bf16 are both met.
TEST(AdamW, halfMomentsAreRoundedWithoutBias) {
    constexpr int64_t kCount = 200'000, kNumSteps = 6;
    const std::array<LayerParameters, 1> layers{{{kCount}}};
    ThreadTeam alone;
    double furthest = 0;
    for (const float gradient : {1.0F, -0.3F, 0.0117F, 3.7e-5F, 123.0F}) {
        std::vector<float> parameters(kCount, 1.0F), version(kCount);
        const std::vector<float> gradients(kCount, gradient);
        for (int64_t step = 1; step <= kNumSteps; ++step) {
            AdamW adamw({}, DType::kF32, DType::kBF16, layers); // anew: both moments are zero before
            adamw.update(LayerId(0), {parameters.data(), gradients.data(), DType::kF32, version.data(), DType::kF32},
                         {0, step, 1}, alone);
            const float firstOf = static_cast<float>(1 - 0.9) * gradient;
            const float secondOf = static_cast<float>(1 - 0.999) * gradient * gradient;
            for (const auto& [bytes, exact] :
                 {std::pair{adamw.firstMoment(LayerId(0)), firstOf}, {adamw.secondMoment(LayerId(0)), secondOf}}) {
                const auto* values = reinterpret_cast<const uint16_t*>(bytes.data());
                double sum = 0;
                for (int64_t i = 0; i < kCount; ++i)
                    sum += fromBf16(values[i]);
                const auto [least, most] = std::minmax_element(values, values + kCount);
                ASSERT_EQ(*most - *least, 1) << exact;
                const double unit = std::abs(static_cast<double>(fromBf16(*most)) - fromBf16(*least));
                const double part = std::abs(exact - fromBf16(*least)) / unit;
                const double deviation = unit * std::sqrt(part * (1 - part) / kCount);
                furthest = std::max(furthest, std::abs(sum / kCount - exact) / deviation);
            }
        }
    }
    std::printf("the furthest of 60 means is %.2f standard deviations from its value\n", furthest);
    EXPECT_LT(furthest, 5);
}

TEST(Schedule, startsTheWarmupAtZeroAndEndsAtZero) {
    for (const auto kind : {ScheduleKind::kLinear, ScheduleKind::kCosine}) {
        const Schedule schedule{kind, 1.0, 4, 20};
        EXPECT_EQ(schedule.at(0), 0.0);
        EXPECT_DOUBLE_EQ(schedule.at(2), 0.5);
        EXPECT_DOUBLE_EQ(schedule.at(4), 1.0);
        EXPECT_NEAR(schedule.at(12), 0.5, 1e-12);
        EXPECT_NEAR(schedule.at(20), 0.0, 1e-12);
    }
    EXPECT_DOUBLE_EQ((Schedule{ScheduleKind::kConstant, 1.0, 4, 20}.at(19)), 1.0);
    EXPECT_EQ(resolveWarmup(0, 0.03, 101), 4);
    EXPECT_EQ(resolveWarmup(7, 0.03, 101), 7);
}

TEST(Clipping, sumsTheSameWhateverTheTeam) {
    std::vector<float> values(1'000'003);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::sin(static_cast<float>(i)) * 1e3F;
    long double expected = 0;
    for (const float value : values)
        expected += static_cast<long double>(value) * value;
    ThreadTeam alone, three(3), seven(7);
    const auto count = static_cast<int64_t>(values.size());
    const double sum = sumOfSquares(DType::kF32, values.data(), count, alone);
    EXPECT_NEAR(sum / static_cast<double>(expected), 1, 1e-13);
    EXPECT_EQ(sumOfSquares(DType::kF32, values.data(), count, three), sum);
    EXPECT_EQ(sumOfSquares(DType::kF32, values.data(), count, seven), sum);
}

TEST(Clipping, scalesToTheLimitOnlyAboveIt) {
    const std::array<float, 2> values = {3, 4};
    ThreadTeam alone;
    EXPECT_DOUBLE_EQ(sumOfSquares(DType::kF32, values.data(), 2, alone), 25.0);
    EXPECT_NEAR(clipCoefficient(5, 1) * 5, 1, 1e-6);
    EXPECT_EQ(clipCoefficient(0.5, 1), 1.0);
    EXPECT_EQ(clipCoefficient(5, 0), 1.0);
}

} // namespace
} // namespace roundpipe::optim
