// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/steps.h"

#include "made_up_lengths.h"
#include "random_mixture.h"
#include "testing/expect_error.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

namespace roundpipe::batch {
namespace {

using testing::expectError;

constexpr DrawOrder kInOrder{false, 0};

ExampleLengths someLengths(int64_t count) {
    ExampleLengths examples;
    for (int64_t i = 0; i < count; ++i)
        examples.add(i % 5 + 2, i % 5);
    return examples;
}

StepRules tokenRules(Packing packing, int64_t perStep) {
    return {
        .microbatchSize = 1, .microbatches = 3, .tokensPerStep = perStep, .microbatchTokens = 256, .packing = packing};
}

constexpr Packing kPackings[] = {Packing::kNone, Packing::kByLength, Packing::kBestFit};

std::vector<int64_t> examplesOf(const std::vector<std::vector<int64_t>>& microbatches) {
    std::vector<int64_t> all;
    for (const auto& indices : microbatches)
        all.insert(all.end(), indices.begin(), indices.end());
    return all;
}

std::vector<int64_t> sorted(std::vector<int64_t> values) {
    std::ranges::sort(values);
    return values;
}

TEST(Steps, visitEveryExampleOnceAnEpoch) {
    for (const int64_t count : {1, 7, 23, 24, 25, 100})
        for (const bool shuffle : {false, true}) {
            const ExampleLengths examples = someLengths(count);
            const Steps steps(examples, {3, 4, 2}, {shuffle, 1});
            for (int64_t epoch = 0; epoch < 3; ++epoch) {
                std::vector<int64_t> seen;
                for (int64_t s = 0; s < steps.perEpoch(); ++s) {
                    const auto inStep = examplesOf(steps.microbatchesOf(epoch * steps.perEpoch() + s));
                    seen.insert(seen.end(), inStep.begin(), inStep.end());
                }
                if (!shuffle) {
                    EXPECT_TRUE(std::ranges::is_sorted(seen));
                }
                std::vector<int64_t> expected(static_cast<std::size_t>(count));
                std::iota(expected.begin(), expected.end(), 0);
                ASSERT_EQ(sorted(seen), expected);
            }
        }
}

TEST(Steps, areTheSameInWhateverOrderTheyAreAsked) {
    const ExampleLengths examples = someLengths(50);
    const Steps forwards(examples, {2, 3, 1}, {true, 9}), backwards(examples, {2, 3, 1}, {true, 9});
    std::vector<std::vector<std::vector<int64_t>>> all;
    for (int64_t s = 0; s < 30; ++s)
        all.push_back(forwards.microbatchesOf(s));
    for (int64_t s = 29; s >= 0; --s)
        ASSERT_EQ(backwards.microbatchesOf(s), all[static_cast<std::size_t>(s)]);
    EXPECT_NE(forwards.microbatchesOf(0), forwards.microbatchesOf(forwards.perEpoch()));
}

TEST(Steps, endAnEpochWithAShortOneAsTransformersDoes) {
    const ExampleLengths examples = someLengths(23);
    const Steps steps(examples, {2, 3, 2}, kInOrder); // 12 examples a step
    EXPECT_EQ(steps.perEpoch(), 2);
    EXPECT_EQ(steps.microbatchesOf(0).size(), 6u);
    const auto last = steps.microbatchesOf(1);
    ASSERT_EQ(last.size(), 6u); // 11 examples
    EXPECT_EQ(last.back(), (std::vector<int64_t>{22}));
    EXPECT_EQ(steps.microbatchesOf(2)[0], (std::vector<int64_t>{0, 1})); // the next epoch starts anew
    EXPECT_EQ(steps.total(3, 0), 6);
    EXPECT_EQ(steps.total(2.25, 0), 5);
    EXPECT_EQ(steps.total(3, 4), 4);
    EXPECT_DOUBLE_EQ(steps.epochAt(1), 12.0 / 23.0);
    EXPECT_DOUBLE_EQ(steps.epochAt(2), 1.0);
    EXPECT_DOUBLE_EQ(steps.epochAt(3), 1 + 12.0 / 23.0);
}

TEST(Steps, refuseRulesThatMakeNone) {
    const ExampleLengths none, some = someLengths(1), uneven = unevenLengths(100);
    expectError(ErrorKind::kInvalidInput, {"no example"}, [&] { Steps(none, {}, {}); });
    expectError(ErrorKind::kInvalidInput, {"microbatch_size", "0"}, [&] { Steps(some, {0, 1, 1}, {}); });
    expectError(ErrorKind::kInvalidInput, {"rounds", "-1"}, [&] { Steps(some, {1, 1, -1}, {}); });
    StepRules rules = tokenRules(Packing::kNone, 0);
    rules.microbatchTokens = 100;
    expectError(ErrorKind::kInvalidInput, {"microbatch_tokens", "100", "max_length"},
                [&] { Steps(uneven, rules, {}); });
    rules = tokenRules(Packing::kNone, 100);
    expectError(ErrorKind::kInvalidInput, {"tokens_per_step", "100"}, [&] { Steps(uneven, rules, {}); });
}

TEST(Steps, holdTheSameExamplesHoweverTheyArePacked) {
    const ExampleLengths examples = unevenLengths(300);
    for (const int64_t perStep : {0, 900}) {
        const Steps plain(examples, tokenRules(Packing::kNone, perStep), {}),
            like(examples, tokenRules(Packing::kByLength, perStep), {}),
            fitted(examples, tokenRules(Packing::kBestFit, perStep), {});
        std::size_t numPlain = 0, numFitted = 0;
        for (int64_t s = 0; s < 2 * plain.perEpoch(); ++s) {
            const auto inOrder = plain.microbatchesOf(s), packed = fitted.microbatchesOf(s);
            ASSERT_EQ(sorted(examplesOf(inOrder)), sorted(examplesOf(packed)));
            ASSERT_EQ(sorted(examplesOf(inOrder)), sorted(examplesOf(like.microbatchesOf(s))));
            numPlain += inOrder.size();
            numFitted += packed.size();
        }
        EXPECT_LE(numFitted, numPlain);
    }
}

TEST(Steps, shareAnEpochsTokensEvenly) {
    const ExampleLengths examples = unevenLengths(500);
    for (const int64_t perStep : {199, 700, 5000})
        for (const bool shuffle : {false, true}) {
            const Steps steps(examples, tokenRules(Packing::kBestFit, perStep), {shuffle, 42});
            EXPECT_EQ(steps.perEpoch(), (examples.numTokens() + perStep - 1) / perStep);
            for (int64_t s = 0; s < 3 * steps.perEpoch(); ++s) {
                int64_t tokens = 0;
                for (const int64_t index : examplesOf(steps.microbatchesOf(s)))
                    tokens += examples.lengthOf(index);
                ASSERT_GT(tokens, 0);
                if (perStep > 2 * examples.longest()) {
                    ASSERT_NEAR(static_cast<double>(tokens), steps.meanTokens(),
                                static_cast<double>(examples.longest()));
                }
            }
            EXPECT_DOUBLE_EQ(steps.epochAt(2 * steps.perEpoch()), 2);
            EXPECT_GT(steps.epochAt(1), 0);
        }
}

// Long ones at the end: a border by tokens alone would leave a step without an example.
TEST(Steps, areNeverWithoutAnExample) {
    const ExampleLengths examples = lengthsOf({16, 100, 100});
    const Steps steps(examples, tokenRules(Packing::kNone, 100), kInOrder);
    ASSERT_EQ(steps.perEpoch(), 3);
    for (int64_t s = 0; s < 3; ++s)
        EXPECT_EQ(examplesOf(steps.microbatchesOf(s)), std::vector<int64_t>{s});
}

// A run that is resumed enters the stream at a step; nothing that was asked before decides what it then holds.
TEST(Steps, ofAMixtureAreTheSameWhereverTheStreamIsEntered) {
    RandomMixtures random(4);
    for (int i = 0; i < 300; ++i) {
        const Mixture mixture = random.next(60);
        const StepRules rules = random.rulesFor(mixture.examples.longest());
        const DrawOrder order{random.upTo(4) > 1, static_cast<uint64_t>(i)};
        SCOPED_TRACE(::testing::Message() << "case " << i << ": " << mixture);
        const Steps whole(mixture.examples, rules, order, mixture.shares);
        const int64_t count = 3 * whole.perEpoch();
        std::vector<std::vector<std::vector<int64_t>>> all;
        for (int64_t s = 0; s < count; ++s)
            all.push_back(whole.microbatchesOf(s));
        for (int64_t tries = 0; tries < 10; ++tries) {
            const Steps entered(mixture.examples, rules, order, mixture.shares);
            const int64_t from = random.upTo(count) - 1;
            for (int64_t s = from; s < std::min(count, from + 3); ++s) {
                const auto step = entered.microbatchesOf(s);
                const auto& expected = all[static_cast<std::size_t>(s)];
                ASSERT_EQ(step.size(), expected.size());
                for (std::size_t m = 0; m < step.size(); ++m) {
                    ASSERT_EQ(step[m], expected[m]) << "step " << s << ", microbatch " << m;
                }
            }
        }
        for (int64_t epoch = 0; epoch < 3; ++epoch) { // an epoch's steps are its draws, whatever cuts and packs them
            std::vector<int64_t> inSteps, drawn;
            for (int64_t s = epoch * whole.perEpoch(); s < (epoch + 1) * whole.perEpoch(); ++s) {
                const std::vector<int64_t> inStep = examplesOf(all[static_cast<std::size_t>(s)]);
                ASSERT_FALSE(inStep.empty());
                inSteps.insert(inSteps.end(), inStep.begin(), inStep.end());
            }
            for (int64_t p = 0; p < whole.draws().perEpoch(); ++p)
                drawn.push_back(whole.draws().at(epoch, p));
            ASSERT_EQ(sorted(inSteps), sorted(drawn));
            ASSERT_DOUBLE_EQ(whole.epochAt((epoch + 1) * whole.perEpoch()), static_cast<double>(epoch + 1));
        }
    }
}

TEST(Steps, mayBeAskedForByManyThreadsAtOnce) {
    const ExampleLengths examples = unevenLengths(200);
    const Steps steps(examples, tokenRules(Packing::kBestFit, 500), {});
    const int64_t count = 3 * steps.perEpoch();
    std::vector<std::vector<std::vector<int64_t>>> expected;
    for (int64_t s = 0; s < count; ++s)
        expected.push_back(steps.microbatchesOf(s));
    std::atomic<int> numWrong{0};
    {
        std::vector<std::jthread> threads;
        for (int64_t t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int64_t i = 0; i < count; ++i) {
                    const int64_t s = (i * 7 + t * 13) % count;
                    numWrong += steps.microbatchesOf(s) == expected[static_cast<std::size_t>(s)] ? 0 : 1;
                }
            });
    }
    EXPECT_EQ(numWrong, 0);
}

} // namespace
} // namespace roundpipe::batch
