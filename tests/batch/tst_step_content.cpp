// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/step_content.h"

#include "batch/packing.h"
#include "batch/steps.h"
#include "made_up_lengths.h"
#include "random_mixture.h"
#include "testing/expect_error.h"

#include <algorithm>
#include <array>
#include <cmath>
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

TEST(StepContent, boundsEveryStepOfAMixtureWhateverIsDrawnTwice) {
    RandomMixtures random(5);
    for (int i = 0; i < 300; ++i) {
        const Mixture mixture = random.next(60);
        const StepRules rules = random.rulesFor(mixture.examples.longest());
        SCOPED_TRACE(::testing::Message() << "case " << i << ": " << mixture);
        const StepContent content = contentOf(mixture.examples, {}, rules, mixture.shares);
        const Steps steps(mixture.examples, rules, {random.upTo(2) == 1, static_cast<uint64_t>(i)}, mixture.shares);
        double examples = 0, tokens = 0;
        constexpr int64_t kEpochs = 20;
        for (int64_t s = 0; s < kEpochs * steps.perEpoch(); ++s) {
            const auto inStep = steps.microbatchesOf(s);
            ASSERT_LE(static_cast<int32_t>(inStep.size()), content.microbatchesPerStep());
            expectWithin(inStep, mixture.examples, content.largest);
            for (const auto& indices : inStep)
                for (const int64_t index : indices) {
                    ++examples;
                    tokens += static_cast<double>(mixture.examples.lengthOf(index));
                }
        }
        const auto numSteps = static_cast<double>(kEpochs * steps.perEpoch());
        ASSERT_NEAR(content.average.examples, examples / numSteps, 1e-9 * content.average.examples);
        // What goes round is not round after so many epochs: of each dataset less than one long example is open.
        const auto open = static_cast<double>(4 * mixture.examples.longest());
        ASSERT_NEAR(content.average.tokens() * numSteps, tokens, open * kEpochs);
        ASSERT_LE(content.usualMicrobatches(), content.microbatchesPerStep());
    }
}

TEST(StepContent, isWhatTheRulesSayOfStepsByExamples) {
    const StepContent content = contentOf(lengthsOf({10, 30, 20}), lengthsOf({40}), {2, 4, 3});
    EXPECT_EQ(content.largest.length, 40);
    EXPECT_EQ(content.largest.tokens, 80);
    EXPECT_EQ(content.largest.sequences, 2);
    EXPECT_EQ(content.microbatches, 4);
    EXPECT_EQ(content.rounds, 3);
    EXPECT_DOUBLE_EQ(content.average.length, 20); // of what is trained on
    EXPECT_DOUBLE_EQ(content.average.trainedShare, 57.0 / 60.0);
    EXPECT_DOUBLE_EQ(content.average.examples, 3); // there are no more
    EXPECT_EQ(content.usualMicrobatches(), 2);
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
    const StepContent plain = contentOf({1024}, {2, 4, 3});
    EXPECT_EQ(plain.largest.length, 1024);
    EXPECT_EQ(plain.largest.tokens, 2048);
    EXPECT_EQ(plain.largest.sequences, 2);
    EXPECT_EQ(plain.microbatches, 4);
    EXPECT_EQ(plain.rounds, 3);
    EXPECT_EQ(plain.usualMicrobatches(), 12);
    EXPECT_DOUBLE_EQ(plain.average.tokens(), 24 * 1024);
    EXPECT_DOUBLE_EQ(plain.average.trainedShare, 1);
    const StepContent packed = contentOf({1000}, {.microbatchTokens = 4096});
    EXPECT_EQ(packed.largest.sequences, 5); // data may have shorter ones
    EXPECT_EQ(packed.usualMicrobatches(), 2) << "eight examples, four in each";
}

TEST(StepContent, holdsTheTokensThatAreAskedForWhateverIsAssumed) {
    const StepRules rules{.tokensPerStep = 4096, .microbatchTokens = 1500};
    for (const double average : {0.0, 1000.0, 300.0}) {
        const StepContent content = contentOf({1024, average, 0.25}, rules);
        EXPECT_DOUBLE_EQ(content.average.tokens(), 4096) << average;
        EXPECT_EQ(content.largest.tokens, 1500) << "data may fill it";
        EXPECT_LE(content.usualMicrobatches(), content.microbatchesPerStep());
        EXPECT_DOUBLE_EQ(content.average.trainedShare, 0.25);
    }
    EXPECT_EQ(contentOf({1024}, rules).usualMicrobatches(), 4);
    EXPECT_EQ(contentOf({1024, 300}, rules).usualMicrobatches(), 3); // five of 300 in each
}

// What a plan is made for is what the steps of an epoch hold, whatever packing makes of them.
TEST(StepContent, averagesAreThoseOfTheStepsOfAnEpoch) {
    const ExampleLengths examples = unevenLengths(400);
    for (const Packing packing : {Packing::kNone, Packing::kByLength, Packing::kBestFit})
        for (const int64_t perStep : {0, 1000, 5000}) {
            const StepRules rules{4, 3, 2, perStep, 300, packing};
            const Steps steps(examples, rules, {true, 7});
            double microbatches = 0;
            for (int64_t s = 0; s < steps.perEpoch(); ++s)
                microbatches += static_cast<double>(steps.microbatchesOf(s).size());
            const double perEpoch = static_cast<double>(steps.perEpoch());
            const StepContent content = contentOf(examples, {}, rules);
            EXPECT_DOUBLE_EQ(content.average.tokens(), steps.meanTokens());
            EXPECT_DOUBLE_EQ(content.average.examples, 400 / perEpoch);
            EXPECT_NEAR(content.average.microbatches, microbatches / perEpoch, 0.1 * microbatches / perEpoch);
            EXPECT_LE(content.average.tokens() / content.usualMicrobatches(), 300.0);
            EXPECT_LT(content.usualMicrobatches(), content.microbatchesPerStep()) << "bounds are no averages";
        }
}

class RandomRules {
public:
    explicit RandomRules(uint64_t seed) : m_random(seed) {}

    ExampleLengths lengths(int64_t fewest, int64_t most) {
        ExampleLengths examples;
        const int64_t longest = upTo(60);
        for (int64_t count = fewest + upTo(most - fewest + 1) - 1; count > 0; --count)
            examples.add(upTo(longest), 1);
        return examples;
    }
    StepRules rulesFor(int64_t longest) {
        StepRules rules{upTo(5), upTo(m_random() % 4 == 0 ? 64 : 6), upTo(3)};
        if (m_random() % 2 == 0) return rules;
        rules.microbatchTokens = longest - 1 + upTo(5 * longest);
        rules.packing = std::array{Packing::kNone, Packing::kByLength, Packing::kBestFit}[m_random() % 3];
        if (m_random() % 2 == 0) rules.tokensPerStep = longest - 1 + upTo(20 * longest);
        return rules;
    }

private:
    int64_t upTo(int64_t most) { return 1 + static_cast<int64_t>(m_random() % static_cast<uint64_t>(most)); }

    std::mt19937_64 m_random;
};

// Microbatches that a step of an epoch really has, on average.
double trueMicrobatches(const Steps& steps) {
    std::size_t count = 0;
    for (int64_t s = 0; s < steps.perEpoch(); ++s)
        count += steps.microbatchesOf(s).size();
    return static_cast<double>(count) / static_cast<double>(steps.perEpoch());
}

// Whatever a dataset's size leaves for the last step: what time is planned for is no more than any microbatch may hold,
// holds all of the average step, and is the nearest whole number that does.
TEST(StepContent, averageMicrobatchesFitIntoTheLargest) {
    RandomRules random(1);
    for (int i = 0; i < 5000; ++i) {
        const ExampleLengths training = random.lengths(1, 300), validation = random.lengths(0, 3);
        const StepRules rules = random.rulesFor(std::max(training.longest(), validation.longest()));
        SCOPED_TRACE(::testing::Message()
                     << "case " << i << ": " << training.size() << " examples, " << rules.microbatchSize << " x "
                     << rules.microbatches << " x " << rules.rounds << ", " << rules.microbatchTokens << " tokens of "
                     << rules.tokensPerStep << ", " << spellingOf(rules.packing));
        const StepContent content = contentOf(training, validation, rules);
        const int32_t usual = content.usualMicrobatches();
        for (const double count : {static_cast<double>(usual), content.average.microbatches}) {
            ASSERT_LE(content.examplesInEach(count), static_cast<double>(content.largest.sequences));
            ASSERT_LE(content.examplesInEach(count) * content.average.length,
                      static_cast<double>(content.largest.tokens) * (1 + 1e-9));
            ASSERT_NEAR(content.examplesInEach(count) * count, content.average.examples,
                        1e-9 * content.average.examples);
        }
        ASSERT_LE(usual, content.microbatchesPerStep());

        const Steps steps(training, rules, {});
        const double truth = trueMicrobatches(steps);
        if (rules.microbatchTokens == 0 || steps.perEpoch() <= 16) { // else steps from all over are a sample
            ASSERT_DOUBLE_EQ(content.average.microbatches, truth);
            ASSERT_LT(std::abs(usual - truth), 1);
        }
    }
}

TEST(StepContent, refusesRulesThatHoldNothing) {
    const ExampleLengths some = lengthsOf({30, 40});
    expectError(ErrorKind::kInvalidInput, {"no example"}, [&] { contentOf({}, some, {}); });
    expectError(ErrorKind::kInvalidInput, {"microbatches", "0"}, [&] { contentOf(some, {}, {1, 0, 1}); });
    const StepRules rules{.microbatchTokens = 40};
    EXPECT_EQ(contentOf(some, {}, rules).largest.tokens, 40);
    for (const double average : {-5.0, 0.5, 41.0, std::nan("")})
        expectError(ErrorKind::kInvalidInput, {"average length", "1 to 40"}, [&] { contentOf({40, average}, {}); });
    expectError(ErrorKind::kInvalidInput, {"microbatch_tokens is 40", "41 tokens"},
                [&] { contentOf(some, lengthsOf({41}), rules); });
}

} // namespace
} // namespace roundpipe::batch
