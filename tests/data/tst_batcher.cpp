#include "data/batches/batcher.h"

#include "example_sets.h"
#include "testing/expect_error.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>

namespace roundpipe::data {
namespace {

using testing::expectError;

// Example i has id 10 + i and i % 5 + 2 tokens 100 · i, 100 · i + 1, …; all but the first two are trained.
ExampleSet someExamples(int64_t count) {
    ExampleMaker maker;
    for (int64_t i = 0; i < count; ++i) {
        std::vector<int32_t> ids;
        std::vector<uint8_t> trained;
        for (int64_t k = 0; k < i % 5 + 2; ++k) {
            ids.push_back(static_cast<int32_t>(100 * i + k));
            trained.push_back(k >= 2 || i % 5 == 0);
        }
        maker.add(10 + i, {0, i + 1}, ids, trained);
    }
    return maker.done();
}

bool same(const TokenBatch& a, const TokenBatch& b) {
    return a.ids == b.ids && a.labels == b.labels && a.positions == b.positions && a.starts == b.starts &&
           a.exampleIds == b.exampleIds;
}

TEST(Batcher, laysExamplesEndToEndWithShiftedLabels) {
    ExampleMaker maker;
    maker.add(5, {}, std::vector<int32_t>{1, 2, 3}, std::vector<uint8_t>{1, 0, 1});
    maker.add(9, {}, std::vector<int32_t>{4, 5}, std::vector<uint8_t>{0, 1});
    const ExampleSet set = maker.done();
    const std::vector<int64_t> both = {0, 1};
    const TokenBatch batch = makeTokenBatch(set, both);
    EXPECT_EQ(batch.ids, (std::vector<int32_t>{1, 2, 3, 4, 5}));
    EXPECT_EQ(batch.labels, (std::vector<int32_t>{kIgnoredLabel, 3, kIgnoredLabel, 5, kIgnoredLabel}));
    EXPECT_EQ(batch.positions, (std::vector<int32_t>{0, 1, 2, 0, 1}));
    EXPECT_EQ(batch.starts, (std::vector<int32_t>{0, 3, 5}));
    EXPECT_EQ(batch.exampleIds, (std::vector<int64_t>{5, 9}));
    EXPECT_EQ(set.numTrained(), 2); // a trained first token has nothing before it
    EXPECT_EQ(batch.numTrained(), 2);
}

TEST(Batcher, visitsEveryExampleOnceAnEpoch) {
    for (const int64_t count : {1, 7, 23, 24, 25, 100})
        for (const bool shuffle : {false, true}) {
            const ExampleSet set = someExamples(count);
            const Batcher batcher(set, {3, 4, 2, shuffle, 1});
            for (int64_t epoch = 0; epoch < 3; ++epoch) {
                std::vector<int64_t> seen;
                int64_t trained = 0;
                for (int64_t s = 0; s < batcher.stepsPerEpoch(); ++s)
                    for (const TokenBatch& batch : batcher.step(epoch * batcher.stepsPerEpoch() + s)) {
                        seen.insert(seen.end(), batch.exampleIds.begin(), batch.exampleIds.end());
                        trained += batch.numTrained();
                    }
                EXPECT_EQ(trained, set.numTrained());
                if (!shuffle) {
                    EXPECT_TRUE(std::ranges::is_sorted(seen));
                }
                std::ranges::sort(seen);
                ASSERT_EQ(static_cast<int64_t>(seen.size()), count);
                for (int64_t i = 0; i < count; ++i)
                    ASSERT_EQ(seen[static_cast<std::size_t>(i)], 10 + i);
            }
        }
}

TEST(Batcher, givesTheSameStepInWhateverOrderItIsAsked) {
    const ExampleSet set = someExamples(50);
    const Batcher forwards(set, {2, 3, 1, true, 9}), backwards(set, {2, 3, 1, true, 9});
    std::vector<std::vector<TokenBatch>> steps;
    for (int64_t s = 0; s < 30; ++s)
        steps.push_back(forwards.step(s));
    for (int64_t s = 29; s >= 0; --s) {
        const auto again = backwards.step(s);
        ASSERT_EQ(again.size(), steps[static_cast<std::size_t>(s)].size());
        for (std::size_t i = 0; i < again.size(); ++i)
            EXPECT_TRUE(same(again[i], steps[static_cast<std::size_t>(s)][i]));
    }
    EXPECT_NE(forwards.step(0)[0].exampleIds, forwards.step(forwards.stepsPerEpoch())[0].exampleIds);
}

TEST(Batcher, endsAnEpochWithAShortStepAsTransformersDoes) {
    const ExampleSet set = someExamples(23);
    const Batcher batcher(set, {2, 3, 2, false, 0}); // 12 examples a step
    EXPECT_EQ(batcher.stepsPerEpoch(), 2);
    EXPECT_EQ(batcher.step(0).size(), 6u);
    const auto last = batcher.step(1);
    ASSERT_EQ(last.size(), 6u); // 11 examples
    EXPECT_EQ(last.back().exampleIds, (std::vector<int64_t>{32}));
    EXPECT_EQ(batcher.step(2)[0].exampleIds, (std::vector<int64_t>{10, 11})); // the next epoch starts anew
    EXPECT_EQ(batcher.totalSteps(3, 0), 6);
    EXPECT_EQ(batcher.totalSteps(2.25, 0), 5);
    EXPECT_EQ(batcher.totalSteps(3, 4), 4);
    EXPECT_DOUBLE_EQ(batcher.epochAt(1), 12.0 / 23.0);
    EXPECT_DOUBLE_EQ(batcher.epochAt(2), 1.0);
    EXPECT_DOUBLE_EQ(batcher.epochAt(3), 1 + 12.0 / 23.0);
}

TEST(Batcher, cutsValidationInFileOrder) {
    const ExampleSet set = someExamples(5);
    const auto batches = batchesInOrder(set, {2});
    ASSERT_EQ(batches.size(), 3u);
    EXPECT_EQ(batches[2].exampleIds, (std::vector<int64_t>{14}));
}

TEST(Batcher, refusesSizesThatMakeNoBatch) {
    const ExampleSet none, some = someExamples(1);
    expectError(ErrorKind::kInvalidInput, {"no example"}, [&] { Batcher(none, {}); });
    expectError(ErrorKind::kInvalidInput, {"microbatch_size", "0"}, [&] { Batcher(some, {0, 1, 1, true, 0}); });
    expectError(ErrorKind::kInvalidInput, {"rounds", "-1"}, [&] { Batcher(some, {1, 1, -1, true, 0}); });
}

// Lengths as real rows have them: many short, few long ones, up to 200 tokens.
ExampleSet unevenExamples(int64_t count) {
    ExampleMaker maker;
    for (int64_t i = 0; i < count; ++i) {
        const auto length = static_cast<std::size_t>(2 + (i * i * 7919 + i) % (i % 9 == 0 ? 199 : 40));
        std::vector<int32_t> ids(length, static_cast<int32_t>(i));
        std::vector<uint8_t> trained(length, 1);
        for (std::size_t k = 0; k < length; k += 3)
            trained[k] = 0;
        maker.add(1000 + i, {0, i + 1}, ids, trained);
    }
    return maker.done();
}

constexpr Packing kPackings[] = {Packing::kNone, Packing::kByLength, Packing::kBestFit};

BatchPlan tokenPlan(Packing packing, int64_t perStep, bool shuffle = true) {
    BatchPlan plan;
    plan.shuffle = shuffle;
    plan.tokensPerStep = perStep;
    plan.microbatchTokens = 256;
    plan.microbatches = 3;
    plan.packing = packing;
    return plan;
}

// Every token of every example, once, with its own label and position, whatever it lies beside.
TEST(Batcher, losesAndDoublesNoTokenHoweverItPacks) {
    const ExampleSet set = unevenExamples(400);
    std::map<int64_t, TokenBatch> alone;
    for (int64_t i = 0; i < set.size(); ++i)
        alone[set[i].id] = makeTokenBatch(set, std::vector<int64_t>{i});
    for (const Packing packing : kPackings)
        for (const int64_t perStep : {int64_t{0}, int64_t{200}, int64_t{1000}, int64_t{100'000}}) {
            BatchPlan plan = tokenPlan(packing, perStep);
            plan.microbatchSize = 4;
            const Batcher batcher(set, plan);
            const BatchBounds bounds = batcher.bounds();
            for (int64_t epoch = 0; epoch < 2; ++epoch) {
                std::set<int64_t> seen;
                for (int64_t s = 0; s < batcher.stepsPerEpoch(); ++s) {
                    const auto batches = batcher.step(epoch * batcher.stepsPerEpoch() + s);
                    ASSERT_FALSE(batches.empty());
                    ASSERT_LE(static_cast<int64_t>(batches.size()), bounds.microbatches);
                    for (const TokenBatch& batch : batches) {
                        ASSERT_LE(batch.numTokens(), bounds.tokens);
                        ASSERT_LE(batch.numSequences(), bounds.sequences);
                        ASSERT_LE(batch.maxLength(), bounds.length);
                        for (std::size_t q = 0; q < batch.exampleIds.size(); ++q) {
                            ASSERT_TRUE(seen.insert(batch.exampleIds[q]).second);
                            const TokenBatch& whole = alone.at(batch.exampleIds[q]);
                            const auto part = [&](const std::vector<int32_t>& values) {
                                return std::vector<int32_t>(values.begin() + batch.starts[q],
                                                            values.begin() + batch.starts[q + 1]);
                            };
                            ASSERT_EQ(part(batch.ids), whole.ids);
                            ASSERT_EQ(part(batch.labels), whole.labels);
                            ASSERT_EQ(part(batch.positions), whole.positions);
                        }
                    }
                }
                EXPECT_EQ(seen.size(), 400u);
            }
        }
}

std::vector<int64_t> examplesOf(const std::vector<TokenBatch>& batches) {
    std::vector<int64_t> ids;
    for (const TokenBatch& batch : batches)
        ids.insert(ids.end(), batch.exampleIds.begin(), batch.exampleIds.end());
    std::ranges::sort(ids);
    return ids;
}

TEST(Batcher, packingLeavesTheExamplesOfEveryStepAsTheyWere) {
    const ExampleSet set = unevenExamples(300);
    for (const int64_t perStep : {0, 900}) {
        const Batcher plain(set, tokenPlan(Packing::kNone, perStep)), like(set, tokenPlan(Packing::kByLength, perStep)),
            fitted(set, tokenPlan(Packing::kBestFit, perStep));
        std::size_t numPlain = 0, numFitted = 0;
        for (int64_t s = 0; s < 2 * plain.stepsPerEpoch(); ++s) {
            const auto batches = plain.step(s), packedBatches = fitted.step(s);
            ASSERT_EQ(examplesOf(batches), examplesOf(packedBatches));
            ASSERT_EQ(examplesOf(batches), examplesOf(like.step(s)));
            numPlain += batches.size();
            numFitted += packedBatches.size();
        }
        EXPECT_LE(numFitted, numPlain);
    }
}

TEST(Batcher, sharesAnEpochsTokensEvenlyAmongItsSteps) {
    const ExampleSet set = unevenExamples(500);
    for (const int64_t perStep : {199, 700, 5000}) {
        for (const bool shuffle : {false, true}) {
            const Batcher batcher(set, tokenPlan(Packing::kBestFit, perStep, shuffle));
            EXPECT_EQ(batcher.stepsPerEpoch(), (set.numTokens() + perStep - 1) / perStep);
            for (int64_t s = 0; s < 3 * batcher.stepsPerEpoch(); ++s) {
                int64_t tokens = 0;
                for (const TokenBatch& batch : batcher.step(s))
                    tokens += batch.numTokens();
                ASSERT_GT(tokens, 0);
                if (perStep > 2 * set.maxLength()) {
                    ASSERT_NEAR(static_cast<double>(tokens), batcher.meanTokensPerStep(),
                                static_cast<double>(set.maxLength()));
                }
            }
            EXPECT_DOUBLE_EQ(batcher.epochAt(2 * batcher.stepsPerEpoch()), 2);
            EXPECT_GT(batcher.epochAt(1), 0);
        }
    }
}

// Long ones at the end: a border by tokens alone would leave a step without an example.
TEST(Batcher, leavesNoStepWithoutAnExample) {
    ExampleMaker maker;
    int64_t id = 0;
    for (const std::size_t length : {std::size_t{16}, std::size_t{100}, std::size_t{100}})
        maker.add(id++, {}, std::vector<int32_t>(length, 1), std::vector<uint8_t>(length, 1));
    const ExampleSet set = maker.done();
    const Batcher batcher(set, tokenPlan(Packing::kNone, 100, false));
    ASSERT_EQ(batcher.stepsPerEpoch(), 3);
    for (int64_t s = 0; s < 3; ++s)
        EXPECT_EQ(examplesOf(batcher.step(s)), std::vector<int64_t>{s});
}

// A run that ends behind any microbatch and starts anew sees what it would have seen.
TEST(Batcher, goesOnFromAnyMicrobatchWithTheSameStream) {
    const ExampleSet set = unevenExamples(120);
    for (const Packing packing : kPackings)
        for (const int64_t perStep : {0, 400}) {
            const BatchPlan plan = tokenPlan(packing, perStep);
            const Batcher whole(set, plan);
            const int64_t steps = 2 * whole.stepsPerEpoch();
            std::vector<TokenBatch> stream;
            std::vector<std::pair<int64_t, std::size_t>> places;
            for (int64_t s = 0; s < steps; ++s)
                for (TokenBatch& batch : whole.step(s)) {
                    places.emplace_back(s, places.empty() || places.back().first != s ? 0 : places.back().second + 1);
                    stream.push_back(std::move(batch));
                }
            for (std::size_t from = 0; from < stream.size(); ++from) {
                const Batcher resumed(set, plan); // nothing carried over
                const auto [step, microbatch] = places[from];
                const auto rest = resumed.step(step);
                for (std::size_t m = microbatch; m < rest.size(); ++m)
                    ASSERT_TRUE(same(rest[m], stream[from + m - microbatch]));
                if (step + 1 < steps) {
                    ASSERT_TRUE(same(resumed.step(step + 1)[0], stream[from + rest.size() - microbatch]));
                }
            }
        }
}

TEST(Batcher, mayBeAskedByManyThreadsAtOnce) {
    const ExampleSet set = unevenExamples(200);
    const Batcher batcher(set, tokenPlan(Packing::kBestFit, 500));
    const int64_t steps = 3 * batcher.stepsPerEpoch();
    std::vector<std::vector<TokenBatch>> expected;
    for (int64_t s = 0; s < steps; ++s)
        expected.push_back(batcher.step(s));
    std::atomic<int> numWrong{0};
    {
        std::vector<std::jthread> threads;
        for (int64_t t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int64_t i = 0; i < steps; ++i) {
                    const int64_t s = (i * 7 + t * 13) % steps;
                    const auto batches = batcher.step(s);
                    const auto& wanted = expected[static_cast<std::size_t>(s)];
                    numWrong += std::ranges::equal(batches, wanted, same) ? 0 : 1;
                }
            });
    }
    EXPECT_EQ(numWrong, 0);
}

TEST(Batcher, refusesBudgetsThatAnExampleExceeds) {
    const ExampleSet set = unevenExamples(100);
    BatchPlan plan = tokenPlan(Packing::kNone, 0);
    plan.microbatchTokens = 100;
    expectError(ErrorKind::kInvalidInput, {"microbatch_tokens", "100", "max_length"}, [&] { Batcher(set, plan); });
    plan = tokenPlan(Packing::kNone, 100);
    expectError(ErrorKind::kInvalidInput, {"tokens_per_step", "100"}, [&] { Batcher(set, plan); });
}

} // namespace
} // namespace roundpipe::data
