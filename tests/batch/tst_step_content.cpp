#include "batch/step_content.h"

#include "batch/packing.h"
#include "batch/steps.h"
#include "made_up_lengths.h"
#include "testing/expect_error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace roundpipe::batch {
namespace {

using testing::expectError;

void expectWithin(const std::vector<std::vector<int64_t>>& microbatches, const ExampleLengths& examples,
                  const MicrobatchBounds& largest) {
    for (const auto& indices : microbatches) {
        int64_t tokens = 0;
        for (const int64_t index : indices) {
            tokens += examples.lengthOf(index);
            ASSERT_LE(examples.lengthOf(index), largest.length);
        }
        ASSERT_LE(tokens, largest.tokens);
        ASSERT_LE(static_cast<int64_t>(indices.size()), largest.sequences);
    }
}

TEST(StepContent, boundsEveryStepOfEveryEpochAndTheValidation) {
    const ExampleLengths training = unevenLengths(400), validation = lengthsOf({3, 210, 7, 7, 120, 5});
    for (const Packing packing : {Packing::kNone, Packing::kByLength, Packing::kBestFit})
        for (const int64_t microbatchTokens : {0, 210, 256, 1000})
            for (const int64_t perStep : {0, 200, 1000, 100'000})
                for (const int64_t microbatches : {1, 3}) {
                    if (microbatchTokens == 0 && (packing == Packing::kBestFit || perStep > 0)) continue;
                    const StepRules rules{4, microbatches, 2, perStep, microbatchTokens, packing};
                    const StepContent content = contentOf(training, validation, rules);
                    const Steps steps(training, rules, {});
                    for (int64_t s = 0; s < 3 * steps.perEpoch(); ++s) {
                        const auto inStep = steps.microbatchesOf(s);
                        ASSERT_LE(static_cast<int32_t>(inStep.size()), content.microbatchesPerStep());
                        expectWithin(inStep, training, content.largest);
                    }
                    expectWithin(packed(validation.tokens(), rules), validation, content.largest);
                }
}

TEST(StepContent, isWhatTheRulesSayOfStepsByExamples) {
    const StepContent content = contentOf(lengthsOf({10, 30, 20}), lengthsOf({40}), {2, 4, 3});
    EXPECT_EQ(content.largest.length, 40);
    EXPECT_EQ(content.largest.tokens, 80);
    EXPECT_EQ(content.largest.sequences, 2);
    EXPECT_EQ(content.microbatches, 4);
    EXPECT_EQ(content.rounds, 3);
    EXPECT_DOUBLE_EQ(content.averageLength, 20); // of what is trained on
    EXPECT_DOUBLE_EQ(content.trainedShare, 57.0 / 60.0);
}

TEST(StepContent, countsTheShortestExamplesOfAFullMicrobatch) {
    const ExampleLengths examples = lengthsOf({50, 10, 20, 40, 10});
    const StepRules rules{.microbatches = 2, .tokensPerStep = 100, .microbatchTokens = 60};
    const StepContent content = contentOf(examples, {}, rules);
    EXPECT_EQ(content.largest.tokens, 60);
    EXPECT_EQ(content.largest.sequences, 3); // 10, 10 and 20
    EXPECT_EQ(content.microbatches, 2);
    EXPECT_EQ(content.rounds, 3); // five examples fit into a step of 150 tokens
}

TEST(StepContent, assumesExamplesOfOneLengthWhereNoneAreKnown) {
    const StepContent plain = contentOf(1024, {2, 4, 3});
    EXPECT_EQ(plain.largest.length, 1024);
    EXPECT_EQ(plain.largest.tokens, 2048);
    EXPECT_EQ(plain.largest.sequences, 2);
    EXPECT_EQ(plain.microbatches, 4);
    EXPECT_EQ(plain.rounds, 3);
    EXPECT_DOUBLE_EQ(plain.averageLength, 1024);
    EXPECT_DOUBLE_EQ(plain.trainedShare, 1);
    EXPECT_EQ(contentOf(1000, {.microbatchTokens = 4096}).largest.sequences, 4);
}

TEST(StepContent, refusesRulesThatHoldNothing) {
    const ExampleLengths some = lengthsOf({30, 40});
    expectError(ErrorKind::kInvalidInput, {"no example"}, [&] { contentOf({}, some, {}); });
    expectError(ErrorKind::kInvalidInput, {"microbatches", "0"}, [&] { contentOf(some, {}, {1, 0, 1}); });
    const StepRules rules{.microbatchTokens = 40};
    EXPECT_EQ(contentOf(some, {}, rules).largest.tokens, 40);
    expectError(ErrorKind::kInvalidInput, {"microbatch_tokens is 40", "41 tokens"},
                [&] { contentOf(some, lengthsOf({41}), rules); });
}

} // namespace
} // namespace roundpipe::batch
