// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/chosen_microbatches.h"

#include "plan/remedies/changes.h"
#include "plan/rig/rig_file.h"
#include "session/planning/plan_answer.h"
#include "session/simulated/simulated_run.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <random>
#include <span>
#include <string>
#include <utility>

namespace roundpipe::session {
namespace {

RunSpec openSpec(const std::string& model = {}) {
    RunSpec spec;
    spec.model.path = model.empty() ? (testing::sourceFolder() / "resources/demo/model").string() : model;
    spec.data.maxLength = 512;
    return spec;
}

RunLengths examples(int64_t count) {
    auto training = std::make_shared<batch::ExampleLengths>();
    for (int64_t i = 0; i < count; ++i)
        training->add(500, 500);
    return {training, nullptr};
}

int64_t chosenFor(const RunSpec& spec, const std::string& rig, const RunLengths& lengths = {}) {
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(spec.model.path));
    return withMicrobatches(spec, model, plan::loadRig(rig), lengths).batch.microbatches;
}

PlanAnswer answerFor(RunSpec spec, const std::string& rig) {
    PlanQuestion question;
    question.spec = std::move(spec);
    question.usesMeasured = false;
    return answer(question, plan::loadRig(rig));
}

PlanAnswer timedAnswerFor(const RunSpec& spec, const char* rig) { // says how long it took
    const std::clock_t start = std::clock();
    PlanAnswer answer = answerFor(spec, rig);
    std::printf("%s: %.2f s\n", rig, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    return answer;
}

TEST(ChosenMicrobatches, areThoseThatARunSays) {
    RunSpec spec = openSpec();
    EXPECT_EQ(spec.batch.microbatches, 0) << "by default they are chosen";
    EXPECT_NO_THROW(validate(spec, false));
    for (const int64_t given : {1, 5, 64}) {
        spec.batch.microbatches = given;
        EXPECT_EQ(chosenFor(spec, "8x4090"), given);
    }
}

TEST(ChosenMicrobatches, areFourOnOneDevice) {
    EXPECT_EQ(chosenFor(openSpec(), "4090"), kFewestMicrobatches);
    EXPECT_EQ(chosenFor(openSpec(), "cpu,ram=16"), kFewestMicrobatches);
}

// Two H100 alone were chosen with four microbatches, as sixteen for all four GPUs are not a hundredth faster for each
// doubling.
TEST(ChosenMicrobatches, giveSlowGpusWorkWhereThatIsFaster) {
    RP_REQUIRE_FIXTURES();
    RunSpec spec = openSpec((testing::fixtures() / "configs/Qwen3-30B-A3B.json").string());
    spec.data.maxLength = 2048;
    const PlanAnswer chosen = answerFor(spec, "2xh100+2x4090,ram=300");
    EXPECT_TRUE(plan::idleDevices(chosen.choice.step).empty()) << chosen.choice.shape.numMicrobatches();
    EXPECT_GT(chosen.tokensPerSecond, 1.01 * answerFor(spec, "2xh100,ram=300").tokensPerSecond);
}

// Of steps that flow into each other in a part of a rotation: computing took 100.9 % of their time.
TEST(ChosenMicrobatches, arePlannedForNoLessThanIsComputed) {
    RP_REQUIRE_FIXTURES();
    RunSpec spec = openSpec((testing::fixtures() / "configs/Qwen3-8B.json").string());
    spec.data.maxLength = 4096;
    spec.optimizer.updates = Updates::kOneStepStale;
    spec.engine.replicas = Replicas::kNever;
    spec.batch.microbatchSize = 2;
    spec.batch.microbatches = 64;
    EXPECT_GE(answerFor(spec, "8x4090").choice.step.bubbleShare, -1e-9);
}

// With four of them half of eight GPUs have nothing to do.
TEST(ChosenMicrobatches, leaveNoGpuIdle) {
    RP_REQUIRE_FIXTURES();
    constexpr double kNoMatter = 0.02;
    RunSpec spec = openSpec((testing::fixtures() / "configs/Qwen3-8B.json").string());
    for (const char* rig : {"2x4090", "8x4090", "2x4090+2x3090,ram=128"}) {
        SCOPED_TRACE(rig);
        spec.batch.microbatches = 0;
        const PlanAnswer chosen = answerFor(spec, rig);
        ASSERT_TRUE(chosen.hasPlan);
        const int64_t number = chosen.choice.shape.roundSize;
        for (const double busy : chosen.choice.step.busySeconds)
            EXPECT_GT(busy, 0);
        spec.batch.microbatches = kFewestMicrobatches;
        const PlanAnswer four = answerFor(spec, rig);
        spec.batch.microbatches = 4 * chosen.rig.numDevices();
        const PlanAnswer most = answerFor(spec, rig);
        RecordProperty(std::string(rig) + " chosen", static_cast<int>(number));
        EXPECT_GE(chosen.tokensPerSecond, 0.93 * most.tokensPerSecond);
        EXPECT_LE(chosen.choice.step.bubbleShare, std::max(kNoMatter, four.choice.step.bubbleShare));
        EXPECT_TRUE(number == kFewestMicrobatches || chosen.tokensPerSecond > four.tokensPerSecond);
    }
    spec.batch.microbatches = 0;
    EXPECT_GE(answerFor(spec, "8x4090").choice.shape.roundSize, 8);
}

TEST(ChosenMicrobatches, leaveAnEpochSixteenUpdates) {
    const RunSpec spec = openSpec(); // microbatches of two
    const int64_t many = chosenFor(spec, "8x4090", examples(100'000));
    EXPECT_GT(many, kFewestMicrobatches);
    EXPECT_EQ(chosenFor(spec, "8x4090", examples(2 * many * 16)), many);
    const int64_t fewer = chosenFor(spec, "8x4090", examples(2 * many * 16 - 1));
    EXPECT_LT(fewer, many);
    EXPECT_EQ(chosenFor(spec, "8x4090", examples(20)), kFewestMicrobatches);
}

// The most were four for each device: where updates take long, 88 % were lost.
TEST(ChosenMicrobatches, areMoreWhereUpdatesTakeLong) {
    RP_REQUIRE_FIXTURES();
    RunSpec spec = openSpec((testing::fixtures() / "configs/Qwen3-0.6B.json").string());
    spec.method = Method::kFull;
    spec.data.maxLength = 1024;
    for (const int64_t size : {1, 4}) {
        spec.batch.microbatchSize = size;
        spec.batch.microbatches = 0;
        const PlanAnswer chosen = answerFor(spec, "2xh100");
        const int64_t examples = size * chosen.choice.shape.numMicrobatches();
        EXPECT_GT(examples, 4 * 2 * size);
        EXPECT_LE(examples, 128) << "a batch that grows without end learns no better";
        spec.batch.microbatches = 128 / size;
        EXPECT_GE(chosen.tokensPerSecond, 0.93 * answerFor(spec, "2xh100").tokensPerSecond);
    }
}

// Microbatches that stay in one round are shared out equally, and the fast GPU waits.
TEST(ChosenMicrobatches, areSharedByRateAmongUnequalGpus) {
    RP_REQUIRE_FIXTURES();
    RunSpec spec = openSpec((testing::fixtures() / "configs/Qwen3-0.6B.json").string());
    spec.data.maxLength = 1024;
    spec.batch.microbatchSize = 1;
    const PlanAnswer chosen = answerFor(spec, "4090+3090");
    ASSERT_TRUE(chosen.hasPlan);
    const int64_t all = chosen.choice.shape.numMicrobatches();
    EXPECT_EQ(asPlanned(spec, chosen).batch.examplesPerStep(), all) << "what a run has";
    spec.batch.microbatches = all;
    spec.engine.replicas = Replicas::kAlways;
    const PlanAnswer equally = answerFor(spec, "4090+3090");
    EXPECT_GT(chosen.tokensPerSecond, 1.1 * equally.tokensPerSecond);
    EXPECT_LT(equally.choice.step.busySeconds[0], 0.7 * equally.choice.step.busySeconds[1]) << "and it is told so";
    spec.batch.rounds = 2; // rounds that the run says are kept
    spec.batch.microbatches = 0;
    EXPECT_EQ(answerFor(spec, "4090+3090").choice.shape.rounds, 2);
}

// The rounds of a step that nobody said were one, or as many as microbatches: 3 %, 15 % and 9 % were lost.
TEST(ChosenMicrobatches, goThroughInRoundsWhereThatIsFaster) {
    RP_REQUIRE_FIXTURES();
    struct Question {
        const char* model;
        const char* rig;
        int64_t length, size;
        Method method;
    };
    for (const Question& question : {Question{"Qwen3-8B", "4090+3090,ram=256", 8192, 1, Method::kLora},
                                     Question{"Qwen3-0.6B", "8x4090,ram=1000", 1024, 2, Method::kFull},
                                     Question{"Qwen3-32B", "4090,ram=128", 8192, 1, Method::kLora}}) {
        SCOPED_TRACE(question.rig);
        RunSpec spec = openSpec((testing::fixtures() / "configs" / (std::string(question.model) + ".json")).string());
        spec.data.maxLength = question.length;
        spec.batch.microbatchSize = question.size;
        spec.method = question.method;
        const PlanAnswer chosen = answerFor(spec, question.rig);
        const int64_t all = asPlanned(spec, chosen).batch.examplesPerStep() / question.size;
        for (spec.batch.microbatches = 1; spec.batch.microbatches <= all; spec.batch.microbatches *= 2) {
            spec.batch.rounds = all / spec.batch.microbatches;
            EXPECT_GE(chosen.tokensPerSecond, 0.99 * answerFor(spec, question.rig).tokensPerSecond)
                << spec.batch.microbatches << " in " << spec.batch.rounds << " rounds";
        }
    }
}

TEST(ChosenMicrobatches, areTheFewestWhereNothingFits) {
    RunSpec spec = openSpec();
    spec.batch.microbatchSize = 65536;
    EXPECT_EQ(chosenFor(spec, "2x4090"), kFewestMicrobatches);
    EXPECT_FALSE(answerFor(spec, "2x4090").problem.empty());
}

TEST(ChosenMicrobatches, areThoseOfGivenStages) {
    RunSpec spec = openSpec(); // of 12 layers
    spec.engine.forwardStages = {3, 3, 3};
    spec.engine.backwardStages = {3, 3, 3, 2};
    const PlanAnswer found = answerFor(spec, "4x4090");
    EXPECT_EQ(found.choice.shape.roundSize, chosenFor(spec, "4x4090"));
    EXPECT_EQ(found.choice.plan.forward.size(), 3U);
}

RunSpec stepOf(const char* model, int64_t length, int64_t size, int64_t tokens) {
    RunSpec spec = openSpec((testing::fixtures() / "configs" / (std::string(model) + ".json")).string());
    spec.data.maxLength = length;
    spec.batch.microbatchSize = size;
    spec.batch.tokensPerStep = tokens;
    return spec;
}

// The number was one of four, whatever a step holds: up to 165 % were lost to the same step in other rounds.
TEST(ChosenMicrobatches, areTheFastestOfAStepThatIsSaidInTokens) {
    RP_REQUIRE_FIXTURES();
    RunSpec experts = stepOf("Qwen3-30B-A3B", 512, 1, 24'576);
    experts.method = Method::kFull;
    experts.optimizer.updates = Updates::kOneStepStale;
    RunSpec weights = stepOf("gpt-oss-20b", 1024, 2, 24'576);
    weights.method = Method::kFull;
    struct Question {
        RunSpec spec;
        const char* rig;
        int64_t byHand; // a number that is faster than that of the rule
    };
    for (const auto& [open, rig, byHand] :
         {Question{experts, "4x4090@pcie3x4,ram=800", 48}, Question{weights, "4090+a6000,ram=800", 12},
          Question{stepOf("Qwen3-4B", 8192, 1, 262'144), "4x4090+4x3090", 1}}) {
        SCOPED_TRACE(rig);
        const PlanAnswer chosen = answerFor(open, rig);
        EXPECT_TRUE(chosen.choseRounds);
        RunSpec given = open;
        given.batch.microbatches = byHand;
        EXPECT_GE(chosen.tokensPerSecond, 0.99 * answerFor(given, rig).tokensPerSecond);
        EXPECT_EQ(chosenFor(open, rig), chosen.choice.shape.roundSize) << "what a run has";
        EXPECT_EQ(asPlanned(open, chosen).batch.microbatches, chosen.choice.shape.roundSize);
    }
}

// Two examples were kept that nobody had asked for: one would have been 6 % faster.
TEST(ChosenMicrobatches, areOfTheFastestSizeWhereThatIsOpen) {
    RP_REQUIRE_FIXTURES();
    struct Question {
        const char* model;
        const char* rig;
        int64_t length, tokens;
    };
    for (const Question& question :
         {Question{"Qwen3-8B", "8x4090", 2048, 131'072}, Question{"Qwen3-8B", "4090+3090", 4096, 131'072},
          Question{"Qwen3-1.7B", "4x4090", 512, 65'536}}) {
        SCOPED_TRACE(::testing::Message() << question.model << " on " << question.rig);
        const RunSpec open = stepOf(question.model, question.length, 0, question.tokens);
        const PlanAnswer chosen = timedAnswerFor(open, question.rig);
        double best = 0;
        for (RunSpec given = open; given.batch.microbatchSize < 16;) {
            given.batch.microbatchSize = std::max<int64_t>(1, 2 * given.batch.microbatchSize);
            const PlanAnswer byHand = answerFor(given, question.rig);
            best = std::max(best, byHand.tokensPerSecond);
            EXPECT_EQ(byHand.microbatchSize, 0) << "it is said";
            EXPECT_EQ(byHand.training.tokenLimit, given.batch.microbatchSize * question.length);
        }
        EXPECT_GE(chosen.tokensPerSecond, 0.99 * best);
        const RunSpec planned = asPlanned(open, chosen);
        EXPECT_EQ(planned.batch.microbatchSize * question.length, chosen.training.tokenLimit);
        const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(open.model.path));
        const RunSpec run = withMicrobatches(open, model, plan::loadRig(question.rig), {});
        EXPECT_EQ(run.batch.microbatchSize, planned.batch.microbatchSize) << "what a run has";
        EXPECT_EQ(run.batch.microbatches, planned.batch.microbatches);
        EXPECT_EQ(answerFor(planned, question.rig).tokensPerSecond, chosen.tokensPerSecond);
    }
}

TEST(ChosenMicrobatches, areOfTwoWhereTheirSizeSaysWhatAStepHolds) {
    const RunSpec open = openSpec();
    EXPECT_EQ(open.batch.microbatchSize, 0);
    RunSpec two = open;
    two.batch.microbatchSize = kUsualSize;
    EXPECT_EQ(asPlanned(open, answerFor(open, "2x4090")).batch.examplesPerStep(),
              asPlanned(two, answerFor(two, "2x4090")).batch.examplesPerStep());
    RunSpec given = open;
    given.batch.microbatches = 3;
    const arch::ModelSpec model = arch::makeModelSpec(arch::readModelConfig(open.model.path));
    EXPECT_EQ(withMicrobatches(given, model, plan::loadRig("2x4090"), {}).batch.examplesPerStep(), 6);
}

// The fewest within 5 % of the best were taken: 14B at 32K on such GPUs left 3.4 % to twice as many.
TEST(ChosenMicrobatches, comeWithinAHundredthADoublingOfTheBest) {
    RP_REQUIRE_FIXTURES();
    struct Question {
        const char* model;
        const char* rig;
        int64_t length, size;
    };
    for (const Question& question :
         {Question{"Qwen3-32B", "2x4090+2x3090,ram=512", 16'384, 1}, Question{"Qwen3-8B", "8x4090", 2048, 2}}) {
        SCOPED_TRACE(question.model);
        RunSpec spec = openSpec((testing::fixtures() / "configs" / (std::string(question.model) + ".json")).string());
        spec.data.maxLength = question.length;
        spec.batch.microbatchSize = question.size;
        const PlanAnswer chosen = timedAnswerFor(spec, question.rig);
        const double few = chosen.choice.shape.numMicrobatches();
        for (spec.batch.microbatches = 4; spec.batch.examplesPerStep() <= 32; spec.batch.microbatches *= 2) {
            const double doublings = std::max(1.0, std::log2(static_cast<double>(spec.batch.microbatches) / few));
            EXPECT_GE((1 + 0.01 * doublings) * chosen.tokensPerSecond, answerFor(spec, question.rig).tokensPerSecond)
                << spec.batch.microbatches;
        }
    }
}

TEST(ChosenMicrobatches, areNoMoreThanAreWorthIt) {
    RP_REQUIRE_FIXTURES();
    const int64_t chosen = chosenFor(stepOf("Qwen3-0.6B", 128, 1, 128 * 2000), "4090,ram=800");
    EXPECT_GE(chosen, 1);
    EXPECT_LE(chosen, 256);
}

// A remedy was tried in other rounds than whoever follows it gets: a length of 6912 was said to fit.
TEST(ChosenMicrobatches, areThoseThatRemediesOfAStepWereTriedWith) {
    RP_REQUIRE_FIXTURES();
    RunSpec replicas = stepOf("Llama-3.1-8B", 131'072, 8, 8'388'608);
    replicas.lora.rank = 64;
    replicas.engine.replicas = Replicas::kAlways;
    RunSpec filled = stepOf("Qwen3-32B", 32'768, 4, 0);
    filled.method = Method::kFull;
    filled.batch.microbatches = 1;
    filled.batch.packing = Packing::kBestFit;
    for (const auto& [tight, rigName] :
         {std::pair{replicas, "4090+3090,ram=48"}, std::pair{filled, "8x3090@pcie3x4,ram=16"}}) {
        SCOPED_TRACE(rigName);
        const PlanAnswer none = answerFor(tight, rigName);
        ASSERT_FALSE(none.fixes.empty() && none.together.empty());
        const auto expectFits = [&, name = rigName, spec = tight](std::span<const plan::Fix> fixes) {
            RunSpec changed = spec;
            plan::ModelRequest machine;
            machine.rig = plan::loadRig(name);
            for (const plan::Fix& fix : fixes)
                if (!apply(fix, changed)) machine = plan::withFixes(machine, {&fix, 1});
            PlanQuestion question;
            question.spec = changed;
            question.usesMeasured = false;
            const PlanAnswer followed = answer(question, machine.rig);
            EXPECT_TRUE(followed.problem.empty()) << fixes.front().change() << ": " << followed.problem.text();
            EXPECT_NEAR(followed.tokensPerSecond, fixes.front().tokensPerSecond, 0.05 * followed.tokensPerSecond);
        };
        for (const plan::Fix& fix : none.fixes)
            expectFits({&fix, 1});
        if (!none.together.empty()) expectFits(none.together);
    }
}

// Speeds of remedies were of four microbatches, up to half of what a run with more of them has. They are found with a
// part of the effort, which is 13 % slower than what all of it finds on unequal devices.
TEST(ChosenMicrobatches, areCountedInWhatIsSaidOfRemedies) {
    RP_REQUIRE_FIXTURES();
    RunSpec spec = openSpec((testing::fixtures() / "configs/Qwen3-8B.json").string());
    spec.data.maxLength = 131'072;
    spec.batch.microbatchSize = 1;
    for (const char* rig : {"8x4090,ram=1000", "2x4090+2x3090,ram=256"}) {
        const PlanAnswer none = answerFor(spec, rig);
        int numFollowed = 0;
        for (const plan::Fix& fix : none.fixes) {
            RunSpec changed = spec;
            if (!apply(fix, changed)) continue;
            const double rate = answerFor(changed, rig).tokensPerSecond;
            EXPECT_NEAR(fix.tokensPerSecond, rate, 0.15 * rate) << fix.change() << " on " << rig;
            EXPECT_GE(rate, fix.tokensPerSecond) << "it is said to be the least: " << fix.change();
            ++numFollowed;
        }
        EXPECT_GT(numFollowed, 0) << rig;
    }
}

// What was searched with an eighth of the effort, in other microbatches, was 2.2 % above what following gave.
TEST(ChosenMicrobatches, areAtLeastAsFastAsIsSaidOfRemedies) {
    RP_REQUIRE_FIXTURES();
    std::mt19937_64 random(15);
    const auto any = [&](const auto& values) { return values[random() % values.size()]; };
    int numFollowed = 0;
    for (int i = 0; i < 8; ++i) {
        RunSpec spec = openSpec((testing::fixtures() / "configs" /
                                 (std::string(any(std::array{"Qwen3-0.6B", "Qwen3-1.7B", "Qwen3-8B"})) + ".json"))
                                    .string());
        spec.method = random() % 2 == 0 ? Method::kFull : Method::kLora;
        spec.data.maxLength = any(std::array{2048, 8192, 131'072});
        spec.batch.tokensPerStep = random() % 3 == 0 ? 8 * spec.data.maxLength : 0;
        plan::Rig rig = plan::loadRig(any(std::array{"4x3090,ram=64", "2x4090,ram=32", "4090+3090,ram=64"}));
        if (i == 0) {
            spec = openSpec((testing::fixtures() / "configs/gemma-3-1b.json").string());
            spec.method = Method::kFull;
            spec.data.maxLength = 32'768;
            rig = plan::loadRig("4x3090,ram=64");
        }
        if (spec.data.maxLength < 131'072) rig.host.memoryBytes = rig.host.memoryBytes * any(std::array{1, 2, 4}) / 16;
        const auto answered = [&](const RunSpec& asked, std::span<const plan::Fix> fixes) {
            RunSpec changed = asked;
            plan::ModelRequest machine;
            machine.rig = rig;
            for (const plan::Fix& fix : fixes)
                if (!apply(fix, changed)) machine = plan::withFixes(machine, {&fix, 1});
            PlanQuestion question;
            question.spec = changed;
            question.usesMeasured = false;
            return answer(question, machine.rig);
        };
        const PlanAnswer none = answered(spec, {});
        if (none.problem.empty()) continue;
        EXPECT_FALSE(none.fixes.empty() && none.together.empty()) << i;
        const auto follow = [&](std::span<const plan::Fix> fixes) {
            const PlanAnswer followed = answered(spec, fixes);
            EXPECT_TRUE(followed.problem.empty()) << fixes.front().change();
            EXPECT_GE(followed.tokensPerSecond, fixes.front().tokensPerSecond) << i << ": " << fixes.front().change();
            ++numFollowed;
        };
        for (const plan::Fix& fix : none.fixes)
            follow({&fix, 1});
        if (!none.together.empty()) follow(none.together);
    }
    EXPECT_GT(numFollowed, 4);
}

// Speeds of remedies were searched with the whole effort: an answer took up to 6 s of the processor. Then the last two
// took more than 2 s: of every number of microbatches the speed was looked at, and its rounds.
TEST(ChosenMicrobatches, areRefusedInNoTime) {
    RP_REQUIRE_FIXTURES();
    RunSpec many = stepOf("Qwen3-32B", 50'000, 1, 3'200'000);
    many.lora.rank = 64;
    many.engine.precision = Precision::kFp32;
    RunSpec large = stepOf("Qwen3-235B-A22B", 31'744, 2, 0);
    RunSpec full = stepOf("Qwen3-8B", 65'536, 4, 0);
    full.method = Method::kFull;
    full.batch.rounds = 4;
    RunSpec small = stepOf("Qwen3-1.7B", 131'072, 2, 0);
    RunSpec stale = stepOf("Qwen3-235B-A22B", 31'744, 64, 0);
    small.lora.rank = stale.lora.rank = 512;
    stale.optimizer.updates = Updates::kOneStepStale;
    const char* const mixed = "4x4090+4x3090,ram=800";
    for (const auto& [spec, rig] : {std::pair{many, "5090+3x3090,ram=1600"}, std::pair{large, "8x4090,ram=800"},
                                    std::pair{full, mixed}, std::pair{small, mixed}, std::pair{stale, mixed}}) {
        const std::clock_t start = std::clock();
        const PlanAnswer none = answerFor(spec, rig);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        EXPECT_FALSE(none.problem.empty());
        EXPECT_FALSE(none.fixes.empty());
        std::printf("%s: %.2f s\n", rig, seconds);
        EXPECT_LT(seconds, 1.8) << rig; // 0.4 to 0.9 s on two cores that have other work as well
    }
}

// The window asks, the command line asks, a run begins: all by the same number.
TEST(ChosenMicrobatches, areTheSameForWhoeverAsks) {
    const RunSpec spec = openSpec();
    const RunLengths lengths = examples(400);
    for (const char* rig : {"2x4090", "8x4090", "3xcpu,ram=16"}) {
        const int64_t chosen = chosenFor(spec, rig, lengths);
        PlanQuestion question;
        question.spec = spec;
        question.lengths = lengths;
        const PlanAnswer found = answer(question, plan::loadRig(rig));
        EXPECT_EQ(found.choice.shape.roundSize, chosen);
        EXPECT_TRUE(found.choseMicrobatches);
        const SimulatedRun run = predictRun(spec, plan::loadRig(rig), lengths, {});
        EXPECT_EQ(run.found.choice.shape.roundSize, chosen);
        const RunSpec planned = asPlanned(spec, found);
        EXPECT_EQ(planned.batch.microbatches, chosen);
        EXPECT_EQ(run.plan.totalSteps, stepsOf(planned, lengths).total);
        RunSpec given = spec;
        given.batch.microbatches = 7;
        EXPECT_FALSE(answerFor(given, rig).choseMicrobatches);
        EXPECT_EQ(asPlanned(given, found).batch.microbatches, 7);
    }
}

TEST(ChosenMicrobatches, areKeptByFilesThatSayThem) {
    EXPECT_EQ(parseRunSpec(R"({"batch": {"microbatches": 4}})", "old.json").batch.microbatches, 4);
    EXPECT_EQ(parseRunSpec(R"({"batch": {"rounds": 2}})", "new.json").batch.microbatches, 0);
    EXPECT_EQ(stepRulesOf(RunSpec{}).microbatches, kFewestMicrobatches) << "until they are chosen";
}

// Who follows a remedy has rounds of one on unequal devices where a round of all does not fit: rank 1 was offered where
// 8 are enough.
TEST(ChosenMicrobatches, areTriedInTheSmallestRoundsByRemedies) {
    RP_REQUIRE_FIXTURES();
    RunSpec spec = openSpec((testing::fixtures() / "configs/Qwen3-32B.json").string());
    spec.data.maxLength = 10'240;
    spec.batch.microbatchSize = 1;
    spec.lora.rank = 16;
    const PlanAnswer answer = answerFor(spec, "4090+3090,ram=72");
    const auto rank = std::ranges::find(answer.fixes, plan::FixKind::kRank, &plan::Fix::kind);
    ASSERT_NE(rank, answer.fixes.end());
    EXPECT_GE(rank->value, 8);
    spec.lora.rank = rank->value;
    EXPECT_TRUE(answerFor(spec, "4090+3090,ram=72").problem.empty());
}

// "needs 19.3 GiB, however it is cut" stood beside "17.0 GiB make it fit": one was of one round, the other of four.
TEST(ChosenMicrobatches, areRefusedInTheRoundsThatRemediesAreTriedIn) {
    RP_REQUIRE_FIXTURES();
    PlanQuestion question;
    question.spec = openSpec((testing::fixtures() / "configs/Llama-3.1-8B.json").string());
    question.spec.data.maxLength = 16'384;
    question.usesMeasured = false;
    plan::Rig rig = plan::loadRig("4090+3090,ram=64");
    rig.host.pinnedBytes = int64_t{8} << 30;
    for (const bool showsSmallest : {false, true}) {
        question.showsSmallest = showsSmallest;
        const PlanAnswer refused = answer(question, rig);
        const auto limit = std::ranges::find(refused.fixes, plan::FixKind::kPageLock, &plan::Fix::kind);
        ASSERT_NE(limit, refused.fixes.end());
        ASSERT_NE(refused.problem.largest(), nullptr);
        EXPECT_EQ(refused.problem.largest()->memory, plan::MemoryKind::kPageLocked);
        EXPECT_LE(refused.problem.largest()->neededBytes, limit->value) << refused.problem.text();
    }
}

void expectNoneBetterByHand(uint64_t seed, int question) {
    const ComparedStep step = compareStep(seed, question, SaidOfStep::kTokens);
    ASSERT_TRUE(step.fits);
    EXPECT_LE(step.lost(), 0.01) << step.question << ": " << step.chosen << ", by hand " << step.byHand;
}

// Full weights of gpt-oss-20b one step stale with 500 GB: rounds of one microbatch take more host memory than one of
// four, which is the only one that fits.
TEST(ChosenMicrobatches, lookAtLargeRoundsWhereSmallOnesDoNotFit) {
    RP_REQUIRE_FIXTURES();
    expectNoneBetterByHand(25, 7);
}

// Eleven groupings looked alike at a glance, and of four in full none was two rounds of eight: 4.7 % were lost.
TEST(ChosenMicrobatches, searchTheLargestRoundsOfThoseThatLookAlike) {
    RP_REQUIRE_FIXTURES();
    expectNoneBetterByHand(20261128, 11);
}

// Two rounds of 20 and 21 are 5 % faster than of 19 and 22, which alone were looked at.
TEST(ChosenMicrobatches, lookBesideTheBest) {
    RP_REQUIRE_FIXTURES();
    expectNoneBetterByHand(20261128, 93);
}

// Of 64 microbatches 53 are the share of an H200 beside a 4090, and 11 are left: 1.8 % faster than any other round.
TEST(ChosenMicrobatches, tryRoundsThatAreTheShareOfTheFastest) {
    RP_REQUIRE_FIXTURES();
    expectNoneBetterByHand(20261210, 103);
}

// Replicas of all weights: what is fastest alone is 2 % slower than others once both copy.
TEST(ChosenMicrobatches, compareReplicasAsReplicas) {
    RP_REQUIRE_FIXTURES();
    expectNoneBetterByHand(20261128, 0);
}

} // namespace
} // namespace roundpipe::session
