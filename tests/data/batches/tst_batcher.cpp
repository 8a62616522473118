// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/batches/batcher.h"

#include "example_sets.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace roundpipe::data {
namespace {

TEST(Batcher, laysExamplesEndToEndWithShiftedLabels) {
    ExampleMaker maker;
    maker.add({5, {}, std::vector<int32_t>{1, 2, 3}, std::vector<uint8_t>{1, 0, 1}});
    maker.add({9, {}, std::vector<int32_t>{4, 5}, std::vector<uint8_t>{0, 1}});
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

// Lengths as real rows have them: many short, few long ones, up to 200 tokens.
ExampleSet unevenExamples(int64_t count) {
    ExampleMaker maker;
    for (int64_t i = 0; i < count; ++i) {
        const auto length = static_cast<std::size_t>(2 + (i * i * 7919 + i) % (i % 9 == 0 ? 199 : 40));
        std::vector<int32_t> ids(length, static_cast<int32_t>(i));
        std::vector<uint8_t> trained(length, 1);
        for (std::size_t k = 0; k < length; k += 3)
            trained[k] = 0;
        maker.add({1000 + i, {0, i + 1}, ids, trained});
    }
    return maker.done();
}

TEST(Batcher, cutsValidationInFileOrder) {
    const auto batches = batchesInOrder(unevenExamples(5), {.microbatchSize = 2});
    ASSERT_EQ(batches.size(), 3u);
    EXPECT_EQ(batches[0].exampleIds, (std::vector<int64_t>{1000, 1001}));
    EXPECT_EQ(batches[2].exampleIds, (std::vector<int64_t>{1004}));
}

// Every token of every example, once, with its own label and position, whatever it lies beside.
TEST(Batcher, losesAndDoublesNoTokenHoweverItPacks) {
    const ExampleSet set = unevenExamples(400);
    std::map<int64_t, TokenBatch> alone;
    for (int64_t i = 0; i < set.size(); ++i)
        alone[set[i].id] = makeTokenBatch(set, std::vector<int64_t>{i});
    for (const Packing packing : {Packing::kNone, Packing::kByLength, Packing::kBestFit})
        for (const int64_t perStep : {0, 200, 1000, 100'000}) {
            const Batcher batcher(set, {4, 3, 1, perStep, 256, packing}, {true, 42});
            const int64_t stepsPerEpoch = batcher.steps().perEpoch();
            for (int64_t epoch = 0; epoch < 2; ++epoch) {
                std::set<int64_t> seen;
                int64_t numTrained = 0;
                for (int64_t s = 0; s < stepsPerEpoch; ++s) {
                    const auto batches = batcher.step(epoch * stepsPerEpoch + s);
                    ASSERT_FALSE(batches.empty());
                    for (const TokenBatch& batch : batches) {
                        numTrained += batch.numTrained();
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
                EXPECT_EQ(numTrained, set.numTrained());
            }
        }
}

} // namespace
} // namespace roundpipe::data
