// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/batches/batch_feeder.h"

#include "base/error.h"
#include "example_sets.h"

#include <chrono>
#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

ExampleSet someExamples(int64_t count) {
    ExampleMaker maker;
    for (int64_t i = 0; i < count; ++i) {
        const auto length = static_cast<std::size_t>(2 + i % 7);
        maker.add({i, {}, std::vector<int32_t>(length, static_cast<int32_t>(i)), std::vector<uint8_t>(length, 1)});
    }
    return maker.done();
}

constexpr batch::StepRules kSmallSteps{.tokensPerStep = 40, .microbatchTokens = 16, .packing = Packing::kBestFit};

TEST(BatchFeeder, givesTheStepsOfTheBatcherInOrder) {
    const ExampleSet set = someExamples(90);
    const Batcher batcher(set, kSmallSteps, {});
    const int64_t end = 3 * batcher.steps().perEpoch();
    for (const int64_t depth : {1, 2, 5})
        for (const int64_t first : {int64_t{0}, batcher.steps().perEpoch() + 1, end - 1}) {
            BatchFeeder feeder(batcher, first, end, depth);
            for (int64_t step = first; step < end; ++step) {
                const auto fed = feeder.next(), asked = batcher.step(step);
                ASSERT_EQ(fed.size(), asked.size());
                for (std::size_t m = 0; m < fed.size(); ++m) {
                    ASSERT_EQ(fed[m].ids, asked[m].ids);
                    ASSERT_EQ(fed[m].labels, asked[m].labels);
                    ASSERT_EQ(fed[m].exampleIds, asked[m].exampleIds);
                }
            }
            EXPECT_THROW(feeder.next(), Error); // there is no further step
        }
}

TEST(BatchFeeder, mayBeGivenUpAtAnyTime) {
    const ExampleSet set = someExamples(50);
    const Batcher batcher(set, kSmallSteps, {});
    for (int taken = 0; taken < 4; ++taken)
        for (int repeat = 0; repeat < 25; ++repeat) {
            BatchFeeder feeder(batcher, 0, 1000, 2);
            for (int i = 0; i < taken; ++i)
                feeder.next();
        }
}

TEST(BatchFeeder, hasTheNextStepReadyOnceTheEngineIsBusy) {
    const ExampleSet set = someExamples(2000);
    const Batcher batcher(set, kSmallSteps, {});
    BatchFeeder feeder(batcher, 0, 30);
    feeder.next(); // the first is waited for
    const double first = feeder.secondsWaited();
    for (int step = 1; step < 30; ++step) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // a step of the engine
        feeder.next();
    }
    EXPECT_LT(feeder.secondsWaited() - first, 29 * 0.010);
}

} // namespace
} // namespace roundpipe::data
