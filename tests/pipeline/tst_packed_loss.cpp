// SPDX-License-Identifier: GPL-3.0-or-later
// What shares a microbatch must not show in the loss: attention and positions end with each example, and random draws
// are keyed by it.
#include "rig.h"

#include "data/batches/batcher.h"
#include "data/example_sets.h"
#include "kernels/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace roundpipe::testing {
namespace {

constexpr int64_t kLongest = 12;

data::ExampleSet randomExamples(int64_t count) {
    uint64_t counter = 0;
    const auto next = [&](uint32_t below) { return kernels::philox(11, 0, counter++).values[0] % below; };
    data::ExampleMaker maker;
    for (int64_t i = 0; i < count; ++i) {
        std::vector<int32_t> ids(6 + next(kLongest - 5));
        std::vector<uint8_t> trained(ids.size());
        for (std::size_t t = 0; t < ids.size(); ++t) {
            ids[t] = static_cast<int32_t>(next(61)); // the rig's vocabulary
            trained[t] = t == 1 || next(3) > 0;
        }
        maker.add({500 + 3 * i, {}, ids, trained});
    }
    return maker.done();
}

struct Trained {
    std::vector<pipeline::StepResult> steps;
    std::size_t numMicrobatches = 0; // of the first step
};

Trained train(const data::ExampleSet& examples, const batch::StepRules& rules, const RigSpec& spec) {
    const data::Batcher batcher(examples, rules, {});
    Rig rig(spec);
    Trained run;
    for (int64_t step = 0; step < batcher.steps().perEpoch(); ++step) {
        auto batches = batcher.step(step);
        if (step == 0) run.numMicrobatches = batches.size();
        run.steps.push_back(rig.pipeline().await(rig.pipeline().submit(std::move(batches), 1e-3)));
    }
    return run;
}

void expectClose(double value, double expected, double relative) {
    EXPECT_LE(std::abs(value - expected), relative * std::abs(expected)) << value << " and " << expected;
}

TEST(PackedTraining, givesTheLossOfUnpackedTraining) {
    const data::ExampleSet examples = randomExamples(37);
    for (const arch::Family family : {arch::Family::kQwen3, arch::Family::kLlama})
        for (const double dropout : {0.0, 0.3}) {
            RigSpec spec;
            spec.family = family;
            spec.dropout = dropout;
            spec.numDevices = 2;
            spec.microbatches = 12;
            const batch::StepRules alone{1, 12}; // one example in a microbatch
            const Trained unpacked = train(examples, alone, spec);
            EXPECT_EQ(unpacked.numMicrobatches, 12u);
            for (const Packing packing : {Packing::kNone, Packing::kByLength, Packing::kBestFit}) {
                batch::StepRules together = alone;
                together.microbatchTokens = 2 * kLongest;
                together.packing = packing;
                const Trained packed = train(examples, together, spec);
                EXPECT_LT(packed.numMicrobatches, 9u);
                ASSERT_EQ(packed.steps.size(), unpacked.steps.size());
                expectClose(packed.steps[0].loss, unpacked.steps[0].loss, 1e-6);
                expectClose(packed.steps[0].gradNorm, unpacked.steps[0].gradNorm, 1e-5);
                for (std::size_t s = 0; s < packed.steps.size(); ++s) {
                    EXPECT_EQ(packed.steps[s].trainedTokens, unpacked.steps[s].trainedTokens);
                    expectClose(packed.steps[s].loss, unpacked.steps[s].loss, 1e-5);
                }
            }
        }
}

// The number of microbatches differs from step to step; the rounds follow from the largest.
TEST(PackedTraining, runsStepsThatAreFilledByTokens) {
    const data::ExampleSet examples = randomExamples(40);
    const batch::StepRules rules{
        .microbatches = 2, .tokensPerStep = 100, .microbatchTokens = 24, .packing = Packing::kBestFit};
    RigSpec spec;
    spec.numDevices = 3;
    spec.microbatches = 2;
    spec.rounds = batch::contentOf(examples.lengths(), {}, rules).rounds;
    const Trained run = train(examples, rules, spec);
    int64_t trained = 0;
    for (const pipeline::StepResult& step : run.steps)
        trained += step.trainedTokens;
    EXPECT_EQ(trained, examples.numTrained());
}

} // namespace
} // namespace roundpipe::testing
