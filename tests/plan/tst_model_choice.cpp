// SPDX-License-Identifier: GPL-3.0-or-later
#include "arch/layers.h"
#include "base/error.h"
#include "plan/compare/rivals.h"
#include "plan/cost/layer_kinds.h"
#include "plan/cost/measured_times.h"
#include "plan/remedies/fixes.h"
#include "plan/rig/rig_notation.h"
#include "plan/search/explanation.h"
#include "plan/simulate/long_steps.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include "choice_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>

namespace roundpipe::plan {
namespace {

TEST(ModelChoice, choosesMicrobatchesAtLeastAsGoodAsAnyGivenOne) {
    ModelRequest open = request("4x4090");
    open.choosesMicrobatch = true;
    const ModelChoice chosen = chooseForModel(open);
    EXPECT_EQ(open.sequencesPerStep % chosen.training.sequences, 0);
    for (const int64_t size : {1, 2, 4}) {
        ModelRequest fixed = request("4x4090");
        fixed.training.sequences = size;
        EXPECT_GE(chosen.tokensPerSecond, 0.97 * chooseForModel(fixed).tokensPerSecond) << size;
    }
}

// Packets of one round, and what the next one has begun: not those of all rounds.
TEST(ModelChoice, needsNoMoreHostMemoryForMoreRounds) {
    ModelRequest few = request("4x4090,ram=115");
    few.training.maxLength = 8192;
    few.rounds = 4;
    few.replicas = Replicas::kNever; // a replica takes its part of the step at once
    ModelRequest many = few;
    many.sequencesPerStep *= 16;
    many.rounds *= 16;
    const EvaluatedPlan ofFew = chooseForModel(few).choice;
    const EvaluatedPlan ofMany = evaluatePlan(ofFew.plan, few.rig, chooseForModel(few).costs, {4, 64});
    EXPECT_TRUE(misfitOf(chooseForModel(many).choice, many.rig).empty());
    EXPECT_LT(ofMany.hostMemory.total(), ofFew.hostMemory.total() + (int64_t{1} << 28));
}

TEST(ModelChoice, holdsLongSequencesWherePacketsThatAreReadGiveWay) {
    ModelRequest longOnes = request("4090,ram=115");
    longOnes.training.maxLength = 32'768;
    longOnes.sequencesPerStep = 8;
    longOnes.rounds = 1;
    const ModelChoice choice = chooseForModel(longOnes);
    EXPECT_TRUE(misfitOf(choice.choice, longOnes.rig).empty());
}

TEST(ModelChoice, streamsFewerBitsOnlyWhereAllowedAndFaster) {
    ModelRequest slow = request("2x4090@pcie3x4");
    slow.sequencesPerStep = 2;
    slow.training.maxLength = 256; // little to compute for what is uploaded
    for (DeviceSpec& device : slow.rig.devices)
        device.memoryBytes = int64_t{6} << 30; // and little of it may stay
    const ModelChoice full = chooseForModel(slow);
    EXPECT_FALSE(isPacked(full.training.weights));
    slow.allowedWeights = {WeightFormat::kInt8, WeightFormat::kNf4};
    const ModelChoice packed = chooseForModel(slow);
    EXPECT_EQ(packed.training.weights, WeightFormat::kNf4);
    EXPECT_GT(packed.tokensPerSecond, 1.5 * full.tokensPerSecond);
}

TEST(ModelChoice, takesTheSameOfFormatsInAnyOrder) {
    const auto takenOf = [](std::vector<std::pair<WeightFormat, double>> rates) {
        std::vector<ModelChoice> found(rates.size());
        for (std::size_t i = 0; i < rates.size(); ++i) {
            found[i].training.weights = rates[i].first;
            found[i].tokensPerSecond = rates[i].second;
        }
        return rates[preferred(found)].first;
    };
    using enum WeightFormat;
    EXPECT_EQ(takenOf({{kNf4, 101}, {kInt8, 100}}), kInt8) << "1 % is not worth four bits";
    EXPECT_EQ(takenOf({{kInt8, 100}, {kNf4, 101}}), kInt8);
    EXPECT_EQ(takenOf({{kNf4, 103}, {kAsIs, 100}, {kInt8, 101}}), kNf4);
    EXPECT_EQ(takenOf({{kInt8, 101}, {kNf4, 103}, {kAsIs, 100}}), kNf4);
    EXPECT_EQ(takenOf({{kInt8, 100}, {kFp8, 101}}), kFp8) << "of as many bits the fastest";
    EXPECT_EQ(takenOf({{kFp8, 101}, {kInt8, 100}}), kFp8);
}

TEST(ModelChoice, offersChangesThatMakeItFit) {
    ModelRequest tight = request("4090");
    tight.training.sequences = 16;
    tight.training.maxLength = 8192;
    try {
        chooseForModel(tight);
        ADD_FAILURE() << "nothing should fit";
    } catch (const DoesNotFit& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
        EXPECT_EQ(error.misfit().obstacle, Misfit::Obstacle::kSmallestPlan);
        ASSERT_NE(error.misfit().largest(), nullptr);
        EXPECT_GT(error.misfit().largest()->missingBytes(), 0);
        EXPECT_EQ(error.message(), error.misfit().text());
    }
    const std::vector<Fix> fixes = smallestFixes(tight);
    ASSERT_GE(fixes.size(), 2u);
    EXPECT_NE(fixes.front().change().find("microbatches of"), std::string::npos) << fixes.front().change();
    EXPECT_EQ(fixes.front().cost().find("tokens/s"), std::string::npos) << "nobody has planned with it";
    EXPECT_NE((Fix{FixKind::kLength, 2048, 1500}).cost().find("at least 1.50 k tokens/s; longer"), std::string::npos);
    for (const Fix& fix : fixes)
        EXPECT_EQ(fix.change().find("host memory"), std::string::npos) << "host memory is not what is missing";
}

TEST(ModelChoice, offersMoreHostMemoryWhereThatIsMissing) {
    ModelRequest tight = request("4090,ram=16");
    tight.sequencesPerStep = 2;
    const std::vector<Fix> fixes = smallestFixes(tight);
    const auto isHost = [](const Fix& fix) { return fix.change().find("host memory") != std::string::npos; };
    const auto isBits = [](const Fix& fix) { return fix.change().find("bits") != std::string::npos; };
    EXPECT_TRUE(std::ranges::any_of(fixes, isHost));
    EXPECT_TRUE(std::ranges::any_of(fixes, isBits));
}

// What is said to be needed is what would be enough.
TEST(ModelChoice, theHostsShortfallIsOfThePlanThatNeedsLeast) {
    for (const char* rig : {"4090,ram=10", "2x4090+3090,ram=16"}) {
        ModelRequest tight = request(rig);
        tight.training.sequences = 2;
        tight.training.maxLength = 4096;
        tight.sequencesPerStep = 2 * 32;
        tight.rounds = 1;
        int64_t neededBytes = 0;
        try {
            chooseForModel(tight);
        } catch (const DoesNotFit& error) {
            EXPECT_FALSE(error.misfit().isOfDevices()) << error.message();
            EXPECT_EQ(error.message().find("one layer at a time"), std::string::npos) << error.message();
            neededBytes = error.misfit().largest()->neededBytes;
        }
        ASSERT_GT(neededBytes, 0) << rig;
        tight.rig.host.pinnedBytes = 0;
        tight.rig.host.memoryBytes = neededBytes;
        EXPECT_NO_THROW(chooseForModel(tight)) << rig;
        tight.rig.host.memoryBytes = neededBytes * 9 / 10;
        EXPECT_THROW(chooseForModel(tight), DoesNotFit) << rig;
    }
}

TEST(ModelChoice, combinesChangesWhereNoneIsEnough) {
    ModelRequest tight = request("4090,ram=16");
    tight.sequencesPerStep = 16;
    tight.training.sequences = 16;
    tight.training.maxLength = 8192;
    EXPECT_TRUE(smallestFixes(tight).empty());
    const std::vector<Fix> settings = smallestCombination(tight, Among::kSettings);
    EXPECT_NE(std::ranges::find(settings, FixKind::kBits, &Fix::kind), settings.end())
        << "the weights alone are more than the host has, in 16 bits";
    tight.rig = parseRig("4090,ram=4");
    EXPECT_TRUE(smallestCombination(tight, Among::kSettings).empty()) << "and in any number of bits";
    const std::vector<Fix> together = smallestCombination(tight, Among::kEverything);
    ASSERT_GE(together.size(), 2U);
    EXPECT_TRUE(std::ranges::any_of(together, [](const Fix& fix) { return !isSetting(fix.kind); }));
    EXPECT_TRUE(std::ranges::any_of(together, [](const Fix& fix) { return isSetting(fix.kind); }));
    for (const Fix& fix : together)
        EXPECT_EQ(fix.tokensPerSecond, together.front().tokensPerSecond);
}

TEST(ModelChoice, explainsEveryDecisionWithTheLimitThatBinds) {
    ModelRequest asked = request("4x4090");
    asked.replicas = Replicas::kNever;
    const ModelChoice chosen = chooseForModel(asked);
    const std::vector<std::string> reasons = explain(chosen, asked.rig);
    std::string all;
    for (const std::string& reason : reasons)
        all += reason + "\n";
    for (const char* part : {"A step has", "fused stage holds", "is the limit", "fullest", "of weights stay"})
        EXPECT_NE(all.find(part), std::string::npos) << part << " is missing in\n" << all;
    const ModelRequest onCpu = request("2xcpu,ram=512"); // its memory is the host's
    const std::vector<std::string> ofWorkers = explain(chooseForModel(onCpu), onCpu.rig);
    EXPECT_TRUE(std::ranges::none_of(
        ofWorkers, [](const std::string& reason) { return reason.find("other things") != std::string::npos; }));
    EXPECT_TRUE(std::ranges::any_of(
        ofWorkers, [](const std::string& reason) { return reason.find("read weights where") != std::string::npos; }));
    SearchOptions without;
    without.engine.residency = false;
    const std::vector<std::string> streaming = explain(chooseForModel(asked, without), asked.rig, without);
    EXPECT_TRUE(std::ranges::any_of(streaming, [](const std::string& reason) {
        return reason.find("uploaded for every slot") != std::string::npos;
    }));
    ModelRequest one = request("4090,ram=64"); // a step that waits for weights, of several stages
    one.sequencesPerStep = 1;
    EXPECT_TRUE(chooseForModel(one).choice.plan.keepsPackets);
    EXPECT_TRUE(chooseForModel(one, without).choice.plan.resident.empty());
}

TEST(ModelChoice, evaluatesAGivenPlanWhetherItFitsOrNot) {
    ModelRequest asked = request("2x4090");
    Plan given;
    given.numLayers = 38;
    given.forward = {{0, 20}};
    given.fused = {20, 38};
    given.backward = {{0, 20}};
    given.deviceTable = {DeviceId(0), DeviceId(1)};
    asked.given = given;
    const ModelChoice evaluated = chooseForModel(asked);
    EXPECT_EQ(evaluated.choice.plan.forward, given.forward);
    EXPECT_TRUE(misfitOf(evaluated.choice, asked.rig).empty());
    asked.given.reset();
    EXPECT_LT(chooseForModel(asked).choice.step.stepSeconds, evaluated.choice.step.stepSeconds);
    asked.given = given;
    asked.training.maxLength = 65536;
    const ModelChoice large = chooseForModel(asked);
    EXPECT_FALSE(misfitOf(large.choice, asked.rig).empty()); // activations of half of the layers at once
    EXPECT_GT(large.choice.step.stepSeconds, evaluated.choice.step.stepSeconds);
    asked.given->fused.begin = 21;
    EXPECT_THROW(chooseForModel(asked), Error); // layer 20 is in no stage
}

TEST(ModelChoice, goesByMeasuredTimesWhereThereAreAny) {
    const testing::TemporaryFolder folder;
    ModelRequest asked = request("4090");
    const auto kinds = layerKinds(asked.model, arch::trainedLayers(asked.model, asked.training.lora));
    DeviceProfile profile{"RTX 4090", modelKey(asked.model.config), shapeKey(asked.training), "run", {}};
    for (const std::string& kind : kinds)
        profile.kinds[kind] = {0.25, 0.5, 1};
    saveProfile(profile, folder.path());
    const double estimated = chooseForModel(asked).costs.times[0][5].backward;
    EXPECT_NE(estimated, 1);
    asked.profiles = folder.path();
    EXPECT_EQ(chooseForModel(asked).costs.times[0][5].backward, 1);
    asked.training.trainedShare = 0.5; // measured with all of them
    EXPECT_EQ(chooseForModel(asked).costs.times[0][5].backward, estimated);
}

TEST(ModelChoice, isGivenUpWhenAskedTo) {
    SearchOptions options;
    std::stop_source stop;
    options.stop = stop.get_token();
    stop.request_stop();
    testing::expectError(ErrorKind::kCancelled, {}, [&] { chooseForModel(request("4x4090"), options); });
    testing::expectError(ErrorKind::kCancelled, {}, [&] {
        const ModelRequest asked = request("4x4090");
        const ModelChoice chosen = chooseForModel(asked);
        compareSchedules(asked.rig, chosen.costs, chosen.choice, options);
    });
}

// What is replayed is bounded; what is told of it is what a replay of the whole would say.
TEST(ModelChoice, replaysALongStepInPart) {
    const ModelRequest asked = request("2x4090");
    const ModelChoice chosen = chooseForModel(asked);
    for (const StepShape& shape :
         {StepShape{20'000, 1}, StepShape{50, 400}, StepShape{1500, 20}, StepShape{9'000, 2, false, 17'000}}) {
        Plan plan = chosen.choice.plan;
        plan.forward = {{0, 20}};
        plan.backward = {{0, 20}};
        plan.fused = {20, 38};
        plan.resident.clear();
        ASSERT_FALSE(isReplayedWhole(shape, plan));
        DispatchOptions options;
        options.numSteps = 2;
        const Simulated whole = simulateDispatch(plan, chosen.costs, asked.rig, shape, options);
        const Simulated part = simulateStep(plan, chosen.costs, asked.rig, shape, options);
        EXPECT_NEAR(part.stepSeconds, whole.stepSeconds, 0.01 * whole.stepSeconds);
        EXPECT_NEAR(part.bubbleShare, whole.bubbleShare, 0.01);
        for (std::size_t d = 0; d < 2; ++d) {
            const auto up = static_cast<double>(whole.bytesUp[d]);
            EXPECT_NEAR(part.busySeconds[d], whole.busySeconds[d], 0.02 * whole.busySeconds[d]);
            EXPECT_NEAR(static_cast<double>(part.bytesUp[d]), up, 0.02 * up);
        }
        options.keepsRecords = true;
        EXPECT_LT(simulateStep(plan, chosen.costs, asked.rig, {1 << 30, 1}, options).records.size(), 1'000'000u);
    }
}

// One computed 100.1 % of the time: the steps that are replayed are a few.
TEST(ModelChoice, hasNoDeviceComputeLongerThanAStepTakes) {
    RP_REQUIRE_FIXTURES();
    ModelRequest asked;
    asked.model = arch::makeModelSpec(arch::readModelConfig(testing::fixtures() / "configs/Qwen3-1.7B.json"));
    asked.rig = parseRig("h200+4090,ramrate=40");
    asked.training.trainsBase = true;
    asked.training.trainedShare = 0.9;
    asked.training.sequences = 2;
    asked.oneStepStale = true;
    asked.replicas = Replicas::kNever;
    asked.rounds = 1;
    for (const int64_t length : {2048, 8192, 32'768})
        for (const int64_t sequences : {2, 4, 6, 16}) {
            asked.training.maxLength = length;
            asked.sequencesPerStep = sequences;
            const Simulated step = chooseForModel(asked).choice.step;
            for (const double busy : step.busySeconds)
                EXPECT_LE(busy, step.stepSeconds * (1 + 1e-9)) << sequences << " x " << length;
            EXPECT_GE(step.bubbleShare, -1e-9);
        }
}

// What more memory lets a search look at took the effort from what had been better: up to 5 % were lost.
TEST(ModelChoice, isNoSlowerWithMoreHostMemory) {
    RP_REQUIRE_FIXTURES();
    struct Question {
        const char* model;
        const char* rig;
        int64_t sequences;
        int32_t microbatches; // of each of two rounds
    };
    for (const Question& question :
         {Question{"Qwen3-32B", "a6000", 1, 16}, Question{"Qwen3-30B-A3B", "3xa6000", 4, 12},
          Question{"Qwen3-8B", "2x4090", 1, 16}, Question{"gpt-oss-20b", "2x4090+2x3090", 1, 16}}) {
        ModelRequest asked;
        asked.model = arch::makeModelSpec(
            arch::readModelConfig(testing::fixtures() / "configs" / (std::string(question.model) + ".json")));
        asked.training.maxLength = 8192;
        asked.training.sequences = question.sequences;
        asked.sequencesPerStep = question.sequences * 2 * question.microbatches;
        asked.rounds = 2;
        double best = 0;
        for (const int gib : {128, 192, 256, 400, 800}) {
            asked.rig = parseRig(std::string(question.rig) + ",ram=" + std::to_string(gib));
            const double rate = chooseForModel(asked).tokensPerSecond;
            EXPECT_GE(rate, 0.99 * best) << question.model << " on " << question.rig << ", " << gib << " GiB";
            best = std::max(best, rate);
        }
    }
}

TEST(ModelChoice, refusesMicrobatchesThatDoNotDivideTheStep) {
    ModelRequest odd = request("4090");
    odd.training.sequences = 3;
    EXPECT_THROW(chooseForModel(odd), Error);
    odd.training.sequences = 1;
    odd.rounds = 5;
    EXPECT_THROW(chooseForModel(odd), Error);
}

TEST(ModelChoice, saysWhereUpdatesOnTheHostHoldStepsUp) {
    ModelRequest asked = request("h200,ram=512,ramrate=20");
    asked.training.trainsBase = true;
    asked.oneStepStale = true;
    const auto limit = [&] { return explain(chooseForModel(asked), asked.rig).back(); };
    EXPECT_NE(limit().find("Updates are the limit"), std::string::npos) << limit();
    asked.training.trainsBase = false;
    EXPECT_EQ(limit().find("Updates are the limit"), std::string::npos) << limit();
}

// Two 4090 had 1,519 tokens/s, four 3090 1,340, and two of each 1,623: slow cards held the fast ones up.
TEST(ModelChoice, sharesLongSequencesAmongUnequalDevices) {
    const auto rate = [](const char* rig) {
        ModelRequest asked = request(rig);
        arch::ModelConfig config = model8b().config;
        config.hiddenSize = 5120;
        config.intermediateSize = 17'408;
        config.numLayers = config.numHeads = 40;
        config.slidingWindow.assign(40, 0);
        asked.model = arch::makeModelSpec(config); // Qwen3-14B's shape
        asked.training.maxLength = 32'768;
        asked.sequencesPerStep = 8;
        asked.rounds = 1;
        return chooseForModel(asked).tokensPerSecond;
    };
    EXPECT_GT(rate("2x4090+2x3090,ram=256"), 0.88 * (rate("2x4090,ram=256") + rate("2x3090,ram=256")));
}

TEST(Misfit, saysOnceWhatNeighboursLack) {
    const auto lacking = [](int32_t device, const char* name, int64_t needed) {
        return Shortfall{MemoryKind::kDevice, device, name, needed << 30, int64_t{24} << 30};
    };
    Misfit misfit;
    misfit.obstacle = Misfit::Obstacle::kMemory;
    misfit.shortfalls = {lacking(0, "RTX 4090", 36), lacking(1, "RTX 4090", 36), lacking(2, "RTX 4090", 36),
                         lacking(3, "RTX 3090", 36), lacking(4, "RTX 3090", 30)};
    EXPECT_EQ(misfit.text(), "devices 0 to 2 (RTX 4090) need 36.0 GiB of 24.0 GiB each; device 3 (RTX 3090) needs 36.0 "
                             "GiB of 24.0 GiB; device 4 (RTX 3090) needs 30.0 GiB of 24.0 GiB");
}

// Of the processor; on two idle cores of a laptop's kind it is a sixth of these. Mixed rigs took 1.5 and 12 s.
TEST(ModelChoice, isSoonMade) {
    RP_REQUIRE_FIXTURES();
    struct Question {
        const char* model;
        const char* rig;
        double seconds;
    };
    for (const auto& [name, rig, most] :
         {Question{"Qwen3-235B-A22B", "8x4090,ram=800", 0.3}, Question{"Qwen3-235B-A22B", "4x4090+4x3090,ram=800", 1.2},
          Question{"Qwen3-8B", "4x4090+4x3090", 1.2}, Question{"Qwen3-32B", "8x4090", 0.7}}) {
        ModelRequest asked;
        asked.model =
            arch::makeModelSpec(arch::readModelConfig(testing::fixtures() / "configs" / (std::string(name) + ".json")));
        asked.rig = parseRig(rig);
        asked.training.sequences = 4;
        asked.sequencesPerStep = 64;
        asked.rounds = 1;
        asked.replicas = Replicas::kNever;
        const std::clock_t start = std::clock();
        EXPECT_GT(chooseForModel(asked).tokensPerSecond, 0);
        EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, most) << name << " on " << rig;
    }
}

} // namespace
} // namespace roundpipe::plan
