// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/compare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roundpipe::runs {
namespace {

std::vector<session::StepMetrics> someSteps() {
    std::vector<session::StepMetrics> steps;
    for (int step = 1; step <= 4; ++step)
        steps.push_back({step, 1.0 / step, step % 2 == 0 ? std::optional(10.0 * step) : std::nullopt, step * 0.5,
                         step * 2.0, 100, 50, 2.0});
    steps[2].loss = std::nan("");
    return steps;
}

TEST(Curves, goByStepTokensOrTime) {
    const auto steps = someSteps();
    const Curve byStep = curveOf(steps, CurveValue::kLoss, CurveAxis::kStep);
    EXPECT_EQ(byStep.x, (std::vector<double>{1, 2, 4})) << "the third is no number";
    EXPECT_EQ(byStep.y, (std::vector<double>{1, 0.5, 0.25}));
    EXPECT_EQ(curveOf(steps, CurveValue::kLoss, CurveAxis::kTokens).x, (std::vector<double>{100, 200, 400}));
    EXPECT_EQ(curveOf(steps, CurveValue::kLoss, CurveAxis::kSeconds).x, (std::vector<double>{2, 4, 8}));
    const Curve validation = curveOf(steps, CurveValue::kValidationLoss, CurveAxis::kSeconds);
    EXPECT_EQ(validation.x, (std::vector<double>{4, 8}));
    EXPECT_EQ(validation.y, (std::vector<double>{20, 40}));
    EXPECT_EQ(curveOf(steps, CurveValue::kLearningRate, CurveAxis::kStep).y, (std::vector<double>{0.5, 1, 1.5, 2}));
    EXPECT_EQ(curveOf(steps, CurveValue::kGradNorm, CurveAxis::kStep).y, (std::vector<double>{2, 4, 6, 8}));
    EXPECT_EQ(curveOf(steps, CurveValue::kTokensPerSecond, CurveAxis::kStep).y.at(0), 50);
}

TEST(Curves, areSmoothedWithoutABeginningAtZero) {
    const std::vector<double> flat(5, 3.0);
    for (const double value : smoothed(flat, 0.9))
        EXPECT_DOUBLE_EQ(value, 3.0);
    const std::vector<double> step = {0, 0, 1};
    EXPECT_EQ(smoothed(step, 0), step);
    EXPECT_DOUBLE_EQ(smoothed(step, 0.5).back(), 1 / 1.75);
    EXPECT_TRUE(smoothed({}, 0.5).empty());
}

TEST(Differences, areShownWithoutSecrets) {
    session::RunSpec one, two;
    one.model.baseModelId = "hf_aB3dEfGh1jKlMnOpQrStUvWx";
    const std::vector<Difference> found = differencesOf(std::vector{one, two});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(textOf(found[0].values[0]), "hf_(hidden)");
}

TEST(Differences, areTheSettingsThatAreNotTheSame) {
    session::RunSpec one, two, three;
    two.lora.rank = 64;
    two.lora.targets = {"q_proj", "v_proj"};
    three.optimizer.learningRate = 1e-4;
    one.name = "one";
    one.output.folder = "/a";
    const std::vector<Difference> found = differencesOf(std::vector{one, two, three});
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].field->key, "lora.rank");
    EXPECT_EQ(textOf(found[0].values[1]), "64");
    EXPECT_EQ(found[1].field->key, "lora.targets");
    EXPECT_EQ(textOf(found[1].values[1]), "q_proj, v_proj");
    EXPECT_EQ(found[2].field->key, "optimizer.learning_rate");
    EXPECT_EQ(textOf(found[2].values[0]), "0.0002");
    EXPECT_EQ(textOf(found[2].values[2]), "0.0001");
    EXPECT_TRUE(differencesOf(std::vector{one, one}).empty());
    EXPECT_TRUE(differencesOf({}).empty());
    EXPECT_EQ(numCompared() + 3, std::ssize(session::runSpecFields()));
    EXPECT_EQ(textOf(std::string()), "–");
    EXPECT_EQ(textOf(true), "on");
    EXPECT_EQ(textOf(std::vector<int64_t>{3, 4}), "3, 4");
}

} // namespace
} // namespace roundpipe::runs
