#include "data/batcher.h"

#include "testing/expect_error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace roundpipe::data {
namespace {

using testing::expectError;

// Example i has id 10 + i and i % 5 + 2 tokens 100 · i, 100 · i + 1, …; all but the first two are trained.
ExampleSet someExamples(int64_t count) {
    ExampleSet set;
    for (int64_t i = 0; i < count; ++i) {
        std::vector<int32_t> ids;
        std::vector<uint8_t> trained;
        for (int64_t k = 0; k < i % 5 + 2; ++k) {
            ids.push_back(static_cast<int32_t>(100 * i + k));
            trained.push_back(k >= 2 || i % 5 == 0);
        }
        set.add(10 + i, {0, i + 1}, ids, trained);
    }
    return set;
}

bool same(const TokenBatch& a, const TokenBatch& b) {
    return a.ids == b.ids && a.labels == b.labels && a.positions == b.positions && a.starts == b.starts &&
           a.exampleIds == b.exampleIds;
}

TEST(Batcher, laysExamplesEndToEndWithShiftedLabels) {
    ExampleSet set;
    set.add(5, {}, std::vector<int32_t>{1, 2, 3}, std::vector<uint8_t>{1, 0, 1});
    set.add(9, {}, std::vector<int32_t>{4, 5}, std::vector<uint8_t>{0, 1});
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
    EXPECT_EQ(batcher.examplesPerStep(), 12);
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
    const auto batches = batchesInOrder(set, 2);
    ASSERT_EQ(batches.size(), 3u);
    EXPECT_EQ(batches[2].exampleIds, (std::vector<int64_t>{14}));
}

TEST(Batcher, refusesSizesThatMakeNoBatch) {
    const ExampleSet none, some = someExamples(1);
    expectError(ErrorKind::kInvalidInput, {"no example"}, [&] { Batcher(none, {}); });
    expectError(ErrorKind::kInvalidInput, {"microbatch_size", "0"}, [&] { Batcher(some, {0, 1, 1, true, 0}); });
    expectError(ErrorKind::kInvalidInput, {"rounds", "-1"}, [&] { Batcher(some, {1, 1, -1, true, 0}); });
}

} // namespace
} // namespace roundpipe::data
