// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/run_shape.h"

#include "base/error.h"
#include "base/units.h"
#include "plan/cost/measured_times.h"
#include "plan/rig/rig_file.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace roundpipe::session {
namespace {

using testing::expectError;

std::shared_ptr<const batch::ExampleLengths> lengthsOf(std::initializer_list<int64_t> lengths) {
    auto examples = std::make_shared<batch::ExampleLengths>();
    for (const int64_t length : lengths)
        examples->add(length, length / 4);
    return examples;
}

RunSpec someSpec() {
    RunSpec spec;
    spec.model.path = (testing::sourceFolder() / "resources/demo/model").string();
    spec.data.maxLength = 128;
    spec.batch = {.microbatchSize = 2, .microbatches = 3, .rounds = 2};
    spec.lora.rank = 4;
    spec.lora.dropout = 0.1;
    return spec;
}

TEST(RunShape, isThatOfTheDataWhereItsLengthsAreKnown) {
    const RunSpec spec = someSpec();
    const batch::StepContent content = stepContentOf(spec, {lengthsOf({40, 80, 60}), lengthsOf({100})});
    const plan::TrainingShape shape = trainingShapeOf(spec, content, false);
    EXPECT_EQ(shape.maxLength, 100);
    EXPECT_EQ(shape.sequences, 2);
    EXPECT_DOUBLE_EQ(shape.averageLength, 60);
    EXPECT_DOUBLE_EQ(shape.averageSequences, 1.5); // three examples in a step that may have twelve
    EXPECT_DOUBLE_EQ(shape.trainedShare, 0.25);
    EXPECT_EQ(shape.operandType, DType::kF32);
    EXPECT_EQ(shape.lora.rank, 4);
    EXPECT_EQ(shape.lora.dropout, 0.1);
    EXPECT_TRUE(shape.deterministic);
    EXPECT_EQ(trainingShapeOf(spec, content, true).operandType, DType::kBF16);
}

TEST(RunShape, isWhatIsAssumedWhereTheyAreNot) {
    RunSpec spec = someSpec();
    spec.engine.precision = Precision::kFp64;
    spec.engine.determinism = Determinism::kFast;
    RunLengths lengths;
    const batch::StepContent content = stepContentOf(spec, lengths);
    const plan::TrainingShape shape = trainingShapeOf(spec, content, true);
    EXPECT_EQ(shape.maxLength, 128);
    EXPECT_EQ(shape.sequences, 2);
    EXPECT_DOUBLE_EQ(shape.lengthOfSequences(), 128);
    EXPECT_DOUBLE_EQ(shape.trainedShare, 1);
    EXPECT_EQ(shape.operandType, DType::kF64);
    EXPECT_FALSE(shape.deterministic);
    EXPECT_EQ(sourceOf(lengths, content).text(), "assumed, 128 tokens an example, all trained");

    lengths.averageLength = 30;
    lengths.trainedShare = 0.4;
    const batch::StepContent uneven = stepContentOf(spec, lengths);
    EXPECT_DOUBLE_EQ(trainingShapeOf(spec, uneven, true).averageLength, 30);
    EXPECT_DOUBLE_EQ(trainingShapeOf(spec, uneven, true).trainedShare, 0.4);
    EXPECT_EQ(sourceOf(lengths, uneven).text(), "assumed, 30 tokens an example and 128 at most, 40 % trained");
    EXPECT_EQ(sourceOf({lengthsOf({3, 4}), nullptr}, uneven).text(), "counted in 2 examples");
}

TEST(RunShape, takesMicrobatchesOfTokensAsTheyAre) {
    RunSpec spec = someSpec();
    EXPECT_EQ(stepRulesOf(spec).microbatchTokens, 0);
    spec.batch.packing = Packing::kBestFit;
    EXPECT_EQ(stepRulesOf(spec).microbatchTokens, 256); // microbatch_size × max_length
    EXPECT_EQ(stepContentOf(spec, {}).rounds, 2);       // examples of one length fill microbatches as sizes do
    const auto data = std::make_shared<batch::ExampleLengths>();
    for (int64_t i = 0; i < 240; ++i)
        data->add(i % 12 == 0 ? 100 : 20, 5);
    const plan::TrainingShape shape = trainingShapeOf(spec, stepContentOf(spec, {data, nullptr}), false);
    EXPECT_EQ(shape.maxTokens(), 256);
    EXPECT_EQ(shape.sequences, 12);       // that are short
    EXPECT_NEAR(shape.tokens(), 160, 10); // twelve examples of 26.7 tokens, mostly in two microbatches
    EXPECT_LT(shape.usualSequences(), 12);
    spec.batch.microbatchTokens = 100; // then no example is longer
    EXPECT_EQ(stepContentOf(spec, {}).largest.length, 100);
    expectError(ErrorKind::kInvalidInput, {"microbatch_tokens", "128"}, [&] {
        stepContentOf(spec, {lengthsOf({128}), nullptr});
    });
}

// Where long texts are split, most microbatches are full, and ends share one.
TEST(RunShape, fillsMicrobatchesByTokensWhereRowsAreSplitOrPacked) {
    RunSpec spec = someSpec();
    EXPECT_EQ(stepRulesOf(spec).microbatchTokens, 0);
    spec.data.overLength = OverLength::kSplit;
    EXPECT_EQ(stepRulesOf(spec).microbatchTokens, spec.batch.microbatchSize * spec.data.maxLength);
    spec.data.overLength = OverLength::kTruncate;
    spec.batch.packing = Packing::kBestFit;
    EXPECT_EQ(stepRulesOf(spec).microbatchTokens, spec.batch.microbatchSize * spec.data.maxLength);
}

TEST(RunShape, keepsTheOverlapWithinAShorterLength) {
    RunSpec spec = someSpec();
    spec.data.overLength = OverLength::kSplit;
    spec.data.overlap = spec.data.maxLength / 2;
    EXPECT_NO_THROW(validate(spec, false));
    ++spec.data.overlap;
    expectError(ErrorKind::kInvalidInput, {"data.overlap", "half", "data.max_length"}, [&] { validate(spec, false); });
    plan::Fix fix;
    fix.kind = plan::FixKind::kLength;
    fix.value = 64;
    ASSERT_TRUE(apply(fix, spec));
    EXPECT_EQ(spec.data.overlap, 32);
    EXPECT_NO_THROW(validate(spec, false));
}

// A run of any size of dataset has times to keep and a plan to ask for: no average is above what is largest.
// As the reader of rows cuts them: pieces as long as may be, which share the overlap, and what is left.
TEST(RunShape, cutsLongRowsAsTheDataSays) {
    DataSection data;
    data.maxLength = 100;
    const auto cut = [&] {
        std::vector<int64_t> lengths;
        const RunLengths all = cutTo(data, {lengthsOf({40, 100, 250}), lengthsOf({101}), 120});
        EXPECT_EQ(all.averageLength, 100);
        for (int64_t i = 0; i < all.training->size(); ++i)
            lengths.push_back(all.training->lengthOf(i));
        EXPECT_EQ(all.training->trained()[0], 10) << "a row that fits stays as it is";
        lengths.push_back(all.validation->size() > 0 ? -all.validation->lengthOf(0) : 0);
        return lengths;
    };
    using Lengths = std::vector<int64_t>;
    data.overLength = OverLength::kTruncate;
    EXPECT_EQ(cut(), (Lengths{40, 100, 100, -100}));
    data.overLength = OverLength::kDrop;
    EXPECT_EQ(cut(), (Lengths{40, 100, 0}));
    data.overLength = OverLength::kSplit;
    EXPECT_EQ(cut(), (Lengths{40, 100, 100, 100, 50, -100}));
    data.overlap = 30;
    EXPECT_EQ(cut(), (Lengths{40, 100, 100, 100, 100, 40, -100})) << "of 250: 0-100, 70-170, 140-240, 210-250";
}

TEST(RunShape, isOneThatThePlannerTakes) {
    std::mt19937_64 random(2);
    const auto upTo = [&](int64_t most) { return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most)); };
    RunSpec spec = someSpec();
    for (int i = 0; i < 4000; ++i) {
        spec.batch = {upTo(6), upTo(random() % 4 == 0 ? 64 : 6), upTo(3)};
        if (random() % 2 == 0) spec.batch.tokensPerStep = 127 + upTo(2000);
        if (random() % 2 == 0) spec.batch.microbatchTokens = 127 + upTo(800);
        spec.batch.packing = std::array{Packing::kNone, Packing::kByLength, Packing::kBestFit}[random() % 3];
        RunLengths lengths{nullptr, nullptr, static_cast<double>(upTo(129) - 1), 0.5};
        if (random() % 4 != 0) {
            const auto data = std::make_shared<batch::ExampleLengths>();
            const int64_t longest = upTo(128);
            for (int64_t count = upTo(400); count > 0; --count)
                data->add(upTo(longest), 1);
            lengths.training = data;
        }
        const batch::StepContent content = stepContentOf(spec, lengths);
        ASSERT_NO_THROW(plan::validate(trainingShapeOf(spec, content, true)))
            << "case " << i << ": " << sourceOf(lengths, content).text() << ", " << toJson(spec);
    }
}

TEST(RunShape, hasTheStagesThatTheSpecGives) {
    RunSpec spec = someSpec();
    EXPECT_FALSE(givenPlanOf(spec, 12, 2));
    spec.engine.forwardStages = {5, 4};
    spec.engine.backwardStages = {3, 4, 5};
    const auto plan = givenPlanOf(spec, 12, 2);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->forward, (std::vector<plan::LayerRange>{{0, 5}, {5, 9}}));
    EXPECT_EQ(plan->fused, (plan::LayerRange{9, 12}));
    EXPECT_EQ(plan->backward, (std::vector<plan::LayerRange>{{5, 9}, {0, 5}}));
    EXPECT_EQ(plan->deviceTable, (std::vector<DeviceId>{DeviceId(0), DeviceId(1)}));
    plan::validate(*plan, 0);
}

TEST(RunShape, asksForTheStepThatIsRun) {
    const RunSpec spec = someSpec();
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    const batch::StepContent content = stepContentOf(spec, {lengthsOf({40, 80, 60}), nullptr});
    const plan::ModelRequest request = planRequestOf(spec, model, plan::loadRig("2x4090"), content);
    EXPECT_EQ(request.sequencesPerStep, 12);
    EXPECT_EQ(request.rounds, 2);
    EXPECT_FALSE(request.choosesMicrobatch);
    EXPECT_EQ(request.profiles, plan::profileFolder());
    // Whoever measures this run keeps its times under the key that its plan looks for.
    EXPECT_EQ(plan::shapeKey(request.training), plan::shapeKey(trainingShapeOf(spec, content, true)));
    const plan::ModelChoice choice = plan::chooseForModel(request);
    EXPECT_EQ(choice.choice.shape.roundSize, 3);
    EXPECT_EQ(choice.choice.shape.rounds, 2);
}

TEST(RunShape, isPlannedWithTheHostMemoryThatItSays) {
    RunSpec spec = someSpec();
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    const batch::StepContent content = stepContentOf(spec, {lengthsOf({40, 80, 60}), nullptr});
    const plan::Rig rig = plan::loadRig("2x4090,ram=64");
    EXPECT_EQ(planRequestOf(spec, model, rig, content).rig.host.memoryBytes, rig.host.memoryBytes);
    spec.engine.hostMemory = 1.5;
    EXPECT_EQ(planRequestOf(spec, model, rig, content).rig.host.memoryBytes, 1536 * kMiB);
    spec.engine.hostMemory = 0.001;
    EXPECT_THROW(plan::chooseForModel(planRequestOf(spec, model, rig, content)), Error);
}

TEST(RunShape, appliesFixesThatAreSettings) {
    RunSpec spec;
    spec.batch.microbatchSize = 4;
    spec.batch.microbatches = 6;
    EXPECT_TRUE(apply({plan::FixKind::kMicrobatch, 2, 0}, spec));
    EXPECT_EQ(spec.batch.microbatchSize, 2);
    EXPECT_EQ(spec.batch.microbatches, 12) << "a step holds what it held";
    EXPECT_TRUE(apply({plan::FixKind::kLength, 512, 0}, spec));
    EXPECT_EQ(spec.data.maxLength, 512);
    EXPECT_EQ(spec.batch.microbatchTokens, 0) << "still as many sequences as before";
    EXPECT_TRUE(apply({plan::FixKind::kMicrobatchTokens, 1024, 0}, spec));
    EXPECT_EQ(spec.batch.microbatchTokens, 1024);
    EXPECT_TRUE(apply({plan::FixKind::kLength, 256, 0}, spec));
    EXPECT_EQ(spec.batch.microbatchTokens, 1024) << "what is said of one setting is said of it alone";
    EXPECT_TRUE(apply({plan::FixKind::kRank, 3, 0}, spec));
    EXPECT_EQ(spec.lora.rank, 3);
    EXPECT_TRUE(apply({plan::FixKind::kPrecision, 16, 0}, spec));
    EXPECT_EQ(spec.engine.precision, Precision::kBf16);
    EXPECT_TRUE(apply({plan::FixKind::kRoundSize, 4, 0}, spec));
    EXPECT_EQ(spec.batch.microbatches, 4);
    EXPECT_EQ(spec.batch.rounds, 3) << "a step has the twelve that it had";
    EXPECT_TRUE(apply({plan::FixKind::kStepTokens, 5000, 0}, spec));
    EXPECT_EQ(spec.batch.tokensPerStep, 5000);
    const RunSpec before = spec;
    EXPECT_TRUE(apply({plan::FixKind::kBits, 8, 0}, spec));
    EXPECT_EQ(spec.model.weights, WeightFormat::kInt8);
    EXPECT_TRUE(apply({plan::FixKind::kBits, 4, 0}, spec));
    EXPECT_EQ(spec.model.weights, WeightFormat::kNf4);
    spec.method = Method::kFull;
    EXPECT_TRUE(apply({plan::FixKind::kMethod, 0, 0}, spec));
    EXPECT_EQ(spec.method, Method::kLora);
    EXPECT_FALSE(apply({plan::FixKind::kHostMemory, 4, 0}, spec));
    EXPECT_TRUE(apply({plan::FixKind::kMicrobatch, 1, 0}, spec));
    EXPECT_EQ(spec.batch.microbatches * spec.batch.microbatchSize,
              before.batch.microbatches * before.batch.microbatchSize);
}

TEST(RunShape, countsTheStepsOfARun) {
    RunSpec spec = someSpec(); // twelve examples a step
    const RunLengths lengths{lengthsOf({40, 80, 60, 40, 80, 60, 40, 80, 60, 40, 80, 60, 20}), lengthsOf({100})};
    spec.duration.epochs = 2.5;
    EXPECT_EQ(stepsOf(spec, lengths).perEpoch, 2);
    EXPECT_EQ(stepsOf(spec, lengths).total, 5);
    EXPECT_EQ(stepsOf(spec, {}).total, 0) << "nothing is known of the rows";
    spec.duration.maxSteps = 7;
    EXPECT_EQ(stepsOf(spec, lengths).total, 7);
    EXPECT_EQ(stepsOf(spec, {}).total, 7);
    EXPECT_EQ(stepsOf(spec, {}).perEpoch, 0);
}

TEST(RunShape, fullFineTuningTrainsTheWeightsAndReadsNoAdapter) {
    RunSpec spec;
    spec.model.path = "model";
    spec.method = Method::kFull;
    spec.lora.targets.clear();
    EXPECT_NO_THROW(validate(spec, false));
    EXPECT_TRUE(trainedOf(spec).base);
    EXPECT_TRUE(trainedOf(spec).lora.targets.empty());
    spec.lora.initFrom = "adapter";
    expectError(ErrorKind::kInvalidInput, {"lora.init_from", "full"}, [&] { validate(spec, false); });
    spec.method = Method::kLora;
    spec.lora.targets = {"q_proj"};
    EXPECT_EQ(trainedOf(spec).lora.targets, spec.lora.targets);
    EXPECT_FALSE(trainedOf(spec).base);
}

} // namespace
} // namespace roundpipe::session
