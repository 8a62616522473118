// SPDX-License-Identifier: GPL-3.0-or-later
// What a search finds, against what can be found by hand.
#include "arch/layers.h"
#include "plan/cost/cost_model.h"
#include "plan/rig/rig_notation.h"
#include "plan/search/least_memory.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"
#include "testing/fixtures.h"

#include "choice_question.h"
#include "choice_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

namespace roundpipe::plan {
namespace {

arch::ModelSpec modelOf(const char* name) { // of the fixtures
    return arch::makeModelSpec(arch::readModelConfig(testing::fixtures() / "configs" / (std::string(name) + ".json")));
}

// Adapters of rank 16 beside it.
ModelRequest requestOf(const char* model, const char* rig, int64_t maxLength) {
    ModelRequest request;
    request.model = modelOf(model);
    request.rig = parseRig(rig);
    request.training.maxLength = maxLength;
    request.training.lora.rank = 16;
    return request;
}

// A step that is said in tokens, of so many microbatches of so many sequences.
ModelRequest requestInTokens(const char* model, const char* rig, int64_t maxLength, int64_t sequences,
                             int32_t microbatches) {
    ModelRequest request = requestOf(model, rig, maxLength);
    request.training.sequences = sequences;
    request.sequencesPerStep = sequences * microbatches;
    request.usualMicrobatches = microbatches;
    request.tokensPerStep = request.sequencesPerStep * maxLength;
    return request;
}

void expectNothingLost(unsigned seed, int question) {
    const ComparedChoice compared = compareChoice(seed, question, 128);
    ASSERT_TRUE(compared.fits) << compared.question;
    EXPECT_LT(compared.lost(), 0.01) << compared.chosen << "\n  by hand " << compared.byHand;
}

TEST(SearchedChoice, losesToNoShapeByHand) {
    RP_REQUIRE_FIXTURES();
    constexpr int kNumQuestions = 4; // tests/bench/plan_choices asks many
    int numAsked = 0;
    for (int n = 0; numAsked < kNumQuestions; ++n) {
        const ComparedChoice compared = compareChoice(15, n, 16);
        if (!compared.fits) continue;
        ++numAsked;
        EXPECT_LT(compared.lost(), 0.02) << compared.question << "\n  chosen  " << compared.chosen << "\n  by hand "
                                         << compared.byHand;
    }
}

// Six of eight unequal devices are the best for it: 1.5 % were lost where fewer were searched with a part of the
// effort.
TEST(SearchedChoice, searchesFewerDevicesInFull) {
    RP_REQUIRE_FIXTURES();
    expectNothingLost(15, 40);
}

// What saving in host memory gains, which no glance knows: eight rounds of eight were not among the eight best glances,
// and 4.6 % were lost.
TEST(SearchedChoice, searchesMoreThanTheBestGlancesWithAPartOfTheEffort) {
    RP_REQUIRE_FIXTURES();
    expectNothingLost(20261128, 32);
}

// A step of nearly as many microbatches is nearly as fast. On unequal devices it was luck what saved in host memory: 7
// % were between neighbours.
TEST(SearchedChoice, findsCutsOnUnequalDevicesThatAreGoodOnceTheySaveInHostMemory) {
    RP_REQUIRE_FIXTURES();
    ModelRequest asked = requestOf("Qwen3-8B", "4090+3090,ram=256", 8192);
    asked.rounds = 2;
    double slowest = std::numeric_limits<double>::infinity(), fastest = 0;
    for (const int64_t microbatches : {30, 31, 32, 33}) {
        asked.training.sequences = 1;
        asked.sequencesPerStep = 2 * microbatches;
        const double rate = chooseForModel(asked).tokensPerSecond;
        slowest = std::min(slowest, rate);
        fastest = std::max(fastest, rate);
    }
    EXPECT_GE(slowest, 0.95 * fastest);
    EXPECT_GE(fastest, 3'600) << "3,400 without saving in host memory";
}

TEST(SearchedChoice, polishesPlansOfUnequalDevices) { // 2.4 % and more lie between what a search comes upon and this
    RP_REQUIRE_FIXTURES();
    ModelRequest asked = requestOf("Qwen3-32B", "2x4090+2x3090,ram=256", 4096);
    asked.training.sequences = 6;
    asked.sequencesPerStep = 24;
    asked.oneStepStale = true;
    asked.rounds = 4;
    EXPECT_GT(chooseForModel(asked).tokensPerSecond, 1700); // 1,655 without
}

TEST(SearchedChoice, searchesAllWaysOnUnequalDevicesInFull) {
    RP_REQUIRE_FIXTURES();
    expectNothingLost(20261129, 73);
}

// On equal GPUs, too: the step took 1.295 s, and a search with a quarter of the effort found one of 1.256.
TEST(SearchedChoice, findsCutsOnEqualDevicesThatAreGoodOnceTheySaveInHostMemory) {
    TrainingShape training;
    training.sequences = 2;
    training.lora.rank = 32;
    const Rig rig = parseRig("4xh100,ram=500");
    const Costs costs = modelCosts(model8b(), training, rig);
    const StepShape shape{16, 1, true};
    const auto secondsWith = [&](int64_t effort) {
        SearchOptions options;
        options.effort = effort;
        return choosePlan(rig, costs, {&shape, 1}, options).step.stepSeconds;
    };
    const double all = secondsWith(SearchOptions().effort);
    EXPECT_LT(all, 1.002 * secondsWith(SearchOptions().effort / 4));
    EXPECT_LT(all, 1.26);
}

// The rig of devices that compute so much faster that what is saved in host memory decides.
Rig withFastDevices(const char* text) {
    Rig rig = parseRig(text);
    for (DeviceSpec& device : rig.devices)
        device.matrixFlops *= 1.4;
    return rig;
}

// A quarter of the effort looked at too few plans of a long step: 22,595 tokens/s.
TEST(SearchedChoice, looksAtEnoughPlansOfLongStepsThatSaveInHostMemory) {
    RP_REQUIRE_FIXTURES();
    const arch::ModelSpec model = modelOf("gpt-oss-20b");
    const Rig rig = withFastDevices("4x4090,ram=256");
    TrainingShape training;
    training.maxLength = 2048;
    training.sequences = 1;
    training.lora.rank = 16;
    const Costs costs = modelCosts(model, training, rig);
    const StepShape shape{32, 2, false, 64};
    EXPECT_GT(2048 * 64 / choosePlan(rig, costs, {&shape, 1}).step.stepSeconds, 22'640);
}

// A glance made 9,756 tokens/s of rounds of one, which make 14,701: they were not searched, and 6.5 % lost.
TEST(SearchedChoice, searchesRoundsOfOneAmongUnequalDevices) {
    RP_REQUIRE_FIXTURES();
    const ModelRequest asked = requestInTokens("Llama-3.1-8B", "4x4090+4x3090,ram=500", 8192, 2, 32);
    EXPECT_GT(chooseForModel(asked).tokensPerSecond, 14'500);
}

// Whole stages leave a fast device time that a slow one needs: the last microbatch is all the fast one's. 2.5 % were
// lost where none but equal rounds and quarters of them were looked at.
TEST(SearchedChoice, leavesTheRestOfAStepToTheFastDevice) {
    RP_REQUIRE_FIXTURES();
    const ModelRequest asked = requestInTokens("Qwen3-4B", "4090+3090,ram=256", 4096, 2, 24);
    const double chosen = chooseForModel(asked).tokensPerSecond;
    double byHand = 0;
    for (const int32_t round : {21, 22, 23, 24}) {
        const Costs costs = modelCosts(asked.model, asked.training, asked.rig);
        const StepShape shape{round, round < 24 ? 2 : 1, false, 24};
        const double seconds = choosePlan(asked.rig, costs, {&shape, 1}).step.stepSeconds;
        byHand = std::max(byHand, static_cast<double>(asked.tokensPerStep) / seconds);
    }
    EXPECT_GT(chosen, 0.99 * byHand);
    EXPECT_GT(chosen, 7'000) << "6,924 in one round";
}

// Sizes between 11 and 13 of a step of 16 were not looked at: 2.9 % were lost.
TEST(SearchedChoice, looksAtRoundsOfAnySizeInAShortStep) {
    RP_REQUIRE_FIXTURES();
    const ModelRequest asked = requestInTokens("Qwen3-1.7B", "4090+3090,ram=256", 8192, 1, 16);
    const StepShape twelve{12, 2, false, 16};
    const Costs costs = modelCosts(asked.model, asked.training, asked.rig);
    const double seconds = choosePlan(asked.rig, costs, {&twelve, 1}).step.stepSeconds;
    const double byHand = static_cast<double>(asked.tokensPerStep) / seconds;
    EXPECT_GT(chooseForModel(asked).tokensPerSecond, 0.99 * byHand);
    EXPECT_GT(byHand, 13'600) << "13,322 in rounds of six";
}

// What lies in a GPU's slots since the step before, and goes up far ahead, makes steps shorter than estimates say, of
// some plans by a fifth: the best of them was passed over, and 2 to 5 % lost.
TEST(SearchedChoice, losesToNoEvenCutsOnOneGpu) {
    struct Question {
        WeightFormat weights;
        double linkGbps, gib;
        int64_t sequences;
    };
    for (const auto& [weights, gbps, gib, sequences] :
         {Question{WeightFormat::kAsIs, 24, 24, 2}, Question{WeightFormat::kAsIs, 24, 14, 2},
          Question{WeightFormat::kNf4, 54, 10, 1}, Question{WeightFormat::kNf4, 6, 10, 1}}) {
        Rig rig = parseRig("h100,ram=125");
        rig.devices[0].memoryBytes = static_cast<int64_t>(gib * (int64_t{1} << 30));
        rig.links[0].upBytesPerSecond = rig.links[0].downBytesPerSecond = 1e9 * gbps;
        TrainingShape training;
        training.sequences = sequences;
        training.lora.rank = 32;
        training.weights = weights;
        const Costs costs = modelCosts(model8b(), training, rig);
        const StepShape shape{static_cast<int32_t>(16 / sequences), 1, false};
        const EvaluatedPlan chosen = choosePlan(rig, costs, {&shape, 1});
        double byHand = std::numeric_limits<double>::infinity();
        std::string cuts;
        for (const int32_t fused : {8, 16, 20, 25, 30, 37})
            for (const int32_t forward : {2, 4, 9, 18})
                for (const int32_t backward : {1, 2, 4, 9, 18}) {
                    Plan plan;
                    plan.numLayers = costs.numLayers();
                    plan.fused = {plan.numLayers - fused, plan.numLayers};
                    for (int32_t l = 0; l < plan.fused.begin; l += forward)
                        plan.forward.push_back({l, std::min(l + forward, plan.fused.begin)});
                    for (int32_t l = plan.fused.begin; l > 1; l -= backward)
                        plan.backward.push_back({std::max(1, l - backward), l});
                    plan.deviceTable = {DeviceId(0)};
                    if (!fits(plan, rig, costs, shape)) chooseSaving(plan, rig, costs, shape);
                    if (!fits(plan, rig, costs, shape)) continue;
                    addResidents(plan, rig, costs, shape);
                    const double seconds = evaluatePlan(plan, rig, costs, shape).step.stepSeconds;
                    if (seconds >= byHand) continue;
                    byHand = seconds;
                    cuts = plan.describe();
                }
        std::printf("%g GB/s, %g GiB: %.3f s, %s; by hand %.3f, %s\n", gbps, gib, chosen.step.stepSeconds,
                    chosen.plan.describe().c_str(), byHand, cuts.c_str());
        EXPECT_LT(chosen.step.stepSeconds, 1.005 * byHand) << chosen.plan.describe() << "\n  by hand " << cuts;
    }
}

// Fewer stages that save more in host memory, and bases that stay spread: cuts were found as if nothing were saved
// there, in rounds of 22 and four 6,675 and 5,745 tokens/s.
TEST(SearchedChoice, findsCutsOnOneGpuThatAreGoodOnceTheySaveInHostMemory) {
    RP_REQUIRE_FIXTURES();
    const arch::ModelSpec model = modelOf("gpt-oss-20b");
    const Rig rig = withFastDevices("4090,ram=128");
    TrainingShape training;
    training.maxLength = 4096;
    training.sequences = 1;
    training.lora.rank = 16;
    const Costs costs = modelCosts(model, training, rig);
    const auto rateIn = [&](const StepShape& shape) {
        const EvaluatedPlan found = choosePlan(rig, costs, {&shape, 1});
        return static_cast<double>(training.maxLength) * shape.numMicrobatches() / found.step.stepSeconds;
    };
    EXPECT_GT(rateIn({22, 3, false, 64}), 6'850);
    EXPECT_GT(rateIn({4, 16, false, 64}), 6'000);
}

// A host that is nearly full: of all cuts only those of the least memory fitted, which no glance showed, so that an
// open step was half as fast as it could be, and a GPU more, whose stages need memory of the host, as slow as a
// quarter.
TEST(SearchedChoice, findsWhatFitsByAHair) {
    RP_REQUIRE_FIXTURES();
    const auto stepOn = [](const char* rig) {
        ModelRequest asked = requestOf("Qwen3-235B-A22B", rig, 1024);
        asked.training.sequences = 2;
        asked.sequencesPerStep = 32;
        asked.rounds = 1;
        return asked;
    };
    const double given = chooseForModel(stepOn("4x4090,ram=512")).tokensPerSecond;
    for (const char* rig : {"4x4090+1x5090@pcie4x8,ram=512", "4x4090+1x3090@pcie4x8,ram=512"})
        EXPECT_GE(chooseForModel(stepOn(rig)).tokensPerSecond, 0.99 * given) << rig;
    ModelRequest open = stepOn("4x4090,ram=512");
    open.choosesMicrobatch = true;
    open.rounds = 0;
    EXPECT_GE(chooseForModel(open).tokensPerSecond, 0.99 * given);
}

} // namespace
} // namespace roundpipe::plan
