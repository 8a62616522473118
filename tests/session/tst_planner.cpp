// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/planning/planner.h"

#include "plan/rig/rig_file.h"
#include "session/planning/disk_use.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

namespace roundpipe::session {
namespace {

using namespace std::chrono_literals;
using testing::expectError;

PlanQuestion someQuestion() {
    PlanQuestion question;
    question.spec.model.path = (testing::sourceFolder() / "resources/demo/model").string(); // of 12 layers
    question.spec.data.maxLength = 256;
    question.spec.batch.microbatches = 6;
    question.usesMeasured = false;
    return question;
}

// Far from even: nearly all layers in one stage.
PlanQuestion badCuts() {
    PlanQuestion question = someQuestion();
    question.spec.engine.forwardStages = {11};
    question.spec.engine.backwardStages = {1, 11};
    return question;
}

// Takes a second or so.
PlanQuestion longQuestion() {
    PlanQuestion question = someQuestion();
    question.spec.batch.microbatches = 64;
    question.compares = true;
    return question;
}

TEST(PlanAnswer, tellsStagesMemoriesAndTimes) {
    PlanQuestion question = someQuestion();
    question.wantsTimeline = true;
    const PlanAnswer found = answer(question, plan::loadRig("4x4090"));
    ASSERT_TRUE(found.hasPlan);
    EXPECT_TRUE(found.problem.empty());
    EXPECT_EQ(found.lengthsFrom.text(), "assumed, 256 tokens an example, all trained");
    EXPECT_EQ(found.timesFrom, "");
    EXPECT_EQ(found.stages.size(), found.choice.plan.stages().size());
    EXPECT_EQ(found.tokensPerStep, 2 * 6 * 256);
    EXPECT_NEAR(found.tokensPerSecond, 2 * 6 * 256 / found.choice.step.stepSeconds, 1e-6);
    EXPECT_FALSE(found.explanation.empty());
    EXPECT_FALSE(found.better);
    for (const PlannedStage& planned : found.stages) {
        EXPECT_FALSE(planned.devices.empty());
        EXPECT_GT(planned.seconds, 0);
        EXPECT_GT(planned.weightBytes, 0);
    }
    ASSERT_TRUE(found.timeline);
    EXPECT_LT(found.timeline->steadyFromNs, found.timeline->steadyToNs);
    EXPECT_GT(found.timeline->records.size(), found.stages.size());
}

// Whatever is trained, on whatever devices: parts are all that there is.
TEST(PlanAnswer, saysWhatHostMemoryAndDiskAreTakenFor) {
    for (const char* rig : {"4x4090", "2xcpu,ram=64"})
        for (const Method method : {Method::kLora, Method::kFull})
            for (const int64_t rounds : {1, 3}) {
                PlanQuestion question = someQuestion();
                question.spec.method = method;
                question.spec.batch.rounds = rounds;
                question.spec.output.keepCheckpoints = 4;
                question.wantsTimeline = true;
                const PlanAnswer found = answer(question, plan::loadRig(rig));
                ASSERT_TRUE(found.hasPlan);
                const plan::HostMemoryTable& host = found.choice.hostMemory;
                EXPECT_EQ(host.parts.total(), host.total());
                if (host.pinned > 0) {
                    EXPECT_EQ(host.parts.crossing(), host.pinned);
                }
                const bool hasSums = rounds > 1 || found.choice.plan.replicas > 1;
                if (method == Method::kLora) {
                    EXPECT_EQ(host.parts.gradientSums > 0, hasSums); // else its table, which is tied, has one
                }
                EXPECT_GT(host.parts.rows, 0);
                const DiskUse disk = diskUseOf(question.spec, found, 10);
                EXPECT_EQ(disk.least(), host.disk);
                EXPECT_EQ(disk.checkpoints, 2 * host.checkpointBytes);
                EXPECT_EQ(disk.earlier, 3 * host.checkpointBytes);
                EXPECT_EQ(disk.trace, 10 * diskUseOf(question.spec, found, 1).trace);
                EXPECT_GT(disk.trace, 10 * int64_t{64} * 6); // a record for each microbatch at least
                question.spec.output.saveTrace = false;
                question.spec.output.keepCheckpoints = 1;
                EXPECT_EQ(diskUseOf(question.spec, found, 10).total(), host.disk);
            }
}

// Slots that are no multiple of the devices make steps of several lengths: the one on show is as long as they are in
// the mean, or nearly.
TEST(PlanAnswer, showsAStepAsLongAsTheyAreInTheMean) {
    PlanQuestion question = someQuestion();
    question.wantsTimeline = true;
    for (const auto& [forward, backward] : std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>>{
             {{3, 3, 3}, {3, 4, 4}}, {{5, 4}, {3, 4, 4}}, {{2, 4, 2, 3}, {1, 4, 6}}}) {
        question.spec.engine.forwardStages = forward;
        question.spec.engine.backwardStages = backward;
        for (const Updates updates : {Updates::kSynchronous, Updates::kOneStepStale}) {
            question.spec.optimizer.updates = updates;
            const PlanAnswer found = answer(question, plan::loadRig("4x4090"));
            ASSERT_TRUE(found.hasPlan && found.timeline);
            const double steps = found.choice.shape.oneStepStale ? 2 : 1;
            const double shown = 1e-9 * static_cast<double>(found.timeline->steadyToNs - found.timeline->steadyFromNs);
            const double mean = found.choice.step.stepSeconds;
            std::printf("%s, %zu slots: %.3f of the mean\n", spellingOf(updates), forward.size() + backward.size(),
                        shown / steps / mean);
            EXPECT_NEAR(shown / steps, mean, 0.02 * mean);
        }
    }
}

TEST(PlanAnswer, answersTheCutsOnShowFirst) {
    PlanQuestion question = badCuts();
    const plan::Rig rig = plan::loadRig("2x4090");
    question.shown = answer(question, rig).choice.plan;
    question.spec.engine.forwardStages.clear();
    question.spec.engine.backwardStages.clear();
    std::vector<PlanAnswer> updates;
    const PlanAnswer last = answer(question, rig, [&](const PlanAnswer& soFar) { updates.push_back(soFar); });
    ASSERT_EQ(updates.size(), 2U);
    EXPECT_EQ(updates[0].choice.plan.forward, question.shown->forward);
    EXPECT_TRUE(updates[0].problem.empty());
    EXPECT_EQ(updates[0].layers.size(), 12U);
    EXPECT_LT(last.choice.step.stepSeconds, updates[0].choice.step.stepSeconds);

    plan::Rig tight = rig;
    for (plan::DeviceSpec& device : tight.devices)
        device.memoryBytes = 1;
    const PlanAnswer none = answer(question, tight);
    EXPECT_TRUE(none.hasPlan) << "what is on show stays, with what it lacks";
    EXPECT_EQ(none.problem.obstacle, plan::Misfit::Obstacle::kSmallestPlan);
    ASSERT_NE(none.problem.largest(), nullptr);
    EXPECT_EQ(none.problem.largest()->availableBytes, 1);
    EXPECT_FALSE(none.fixes.empty());
    EXPECT_EQ(answer(question, plan::loadRig("4x4090")).choice.plan.deviceTable.size(), 4U) << "of another rig";
}

TEST(PlanAnswer, goesByTheLengthsOfTheData) {
    PlanQuestion question = someQuestion();
    const plan::Rig rig = plan::loadRig("4xcpu"); // a GPU takes as long to be told of so little
    const PlanAnswer assumed = answer(question, rig);
    auto lengths = std::make_shared<batch::ExampleLengths>();
    for (int i = 0; i < 100; ++i)
        lengths->add(i % 10 == 0 ? 200 : 40, 20);
    question.lengths.training = lengths;
    const PlanAnswer counted = answer(question, rig);
    EXPECT_EQ(counted.lengthsFrom.text(), "counted in 100 examples");
    EXPECT_EQ(counted.training.maxLength, 200);
    EXPECT_DOUBLE_EQ(counted.training.averageLength, 56);
    EXPECT_LT(counted.choice.step.stepSeconds, assumed.choice.step.stepSeconds);
    EXPECT_EQ(counted.tokensPerStep, 100 * 56 / 9); // nine steps an epoch, the last one smaller
}

// What is asked for without the data is what a run without it would be: no other microbatches, no other rounds.
TEST(PlanAnswer, hasTheMicrobatchesOfTheRun) {
    PlanQuestion question = someQuestion();
    question.spec.batch.microbatches = 4; // a round of them
    question.spec.batch.tokensPerStep = 4096;
    question.spec.batch.microbatchTokens = 512;
    const plan::Rig rig = plan::loadRig("4x4090");
    const PlanAnswer bounded = answer(question, rig);
    EXPECT_EQ(bounded.training.tokens(), 512);
    EXPECT_EQ(bounded.tokensPerStep, 4096);
    question.spec.batch.microbatchTokens = 600; // of which two examples fill 512
    EXPECT_EQ(answer(question, rig).training.tokens(), 512);
    EXPECT_EQ(answer(question, rig).tokensPerStep, 4096);
    question.spec.batch.microbatchTokens = 128; // below the longest example that is allowed
    EXPECT_EQ(answer(question, rig).training.tokens(), 128);
    question.spec.batch.microbatchTokens = 0; // two examples, as microbatch_size says
    const PlanAnswer plain = answer(question, rig);
    EXPECT_EQ(plain.training.tokens(), 512);
    EXPECT_EQ(plain.choice.shape.roundSize, 4);
    EXPECT_EQ(plain.choice.shape.rounds, 2);
    EXPECT_EQ(plain.tokensPerStep, 4096);
    question.spec.batch.tokensPerStep = 1000; // no whole number of examples
    EXPECT_EQ(answer(question, rig).tokensPerStep, 1000);
    EXPECT_EQ(answer(question, rig).choice.shape.rounds, 1);
}

TEST(PlanAnswer, choosesMicrobatchesWhereItIsAskedTo) {
    PlanQuestion question = someQuestion();
    question.spec.batch = {.microbatchSize = 1, .microbatches = 24, .rounds = 2};
    const plan::Rig rig = plan::loadRig("4x4090");
    const PlanAnswer as = answer(question, rig);
    EXPECT_EQ(as.training.sequences, 1);
    question.choosesMicrobatches = true;
    const PlanAnswer chosen = answer(question, rig);
    EXPECT_EQ(chosen.tokensPerStep, as.tokensPerStep);
    EXPECT_EQ(chosen.training.sequences * chosen.choice.shape.mostMicrobatches(), 48);
    EXPECT_GT(chosen.tokensPerSecond, 1.05 * as.tokensPerSecond) << "a microbatch of 256 tokens is small";
    question.spec.batch.tokensPerStep = 1000; // nearly four examples
    EXPECT_EQ(answer(question, rig).tokensPerStep, 1024);
}

// Each format has the microbatches that a run in it has: all had those of the first, which are more where weights that
// are not packed take longer to travel.
TEST(PlanAnswer, plansEachFormatAsItIsPlannedAlone) {
    RP_REQUIRE_FIXTURES();
    PlanQuestion question = someQuestion();
    question.spec.model.path = (testing::fixtures() / "configs" / "Qwen3-32B.json").string();
    question.spec.data.maxLength = 1024;
    question.spec.batch.microbatches = 0;
    const plan::Rig rig = plan::loadRig("4090@pcie3x4,ram=128");
    const PlanAnswer asIs = answer(question, rig);
    question.spec.model.weights = WeightFormat::kNf4;
    const PlanAnswer packed = answer(question, rig);
    ASSERT_NE(asIs.choice.shape.roundSize, packed.choice.shape.roundSize);
    ASSERT_GT(packed.tokensPerSecond, 1.02 * asIs.tokensPerSecond);
    question.spec.model.weights = WeightFormat::kAsIs;
    question.otherWeights = {WeightFormat::kNf4};
    const PlanAnswer either = answer(question, rig);
    EXPECT_EQ(either.training.weights, WeightFormat::kNf4);
    EXPECT_EQ(either.choice.shape.roundSize, packed.choice.shape.roundSize);
    EXPECT_EQ(either.choice.shape.rounds, packed.choice.shape.rounds);
    EXPECT_EQ(either.tokensPerSecond, packed.tokensPerSecond);
    EXPECT_EQ(either.lengthsFrom.text(), packed.lengthsFrom.text());
    const PlanAnswer nowhere = answer(question, plan::loadRig("4090,ram=4"));
    EXPECT_FALSE(nowhere.problem.empty());
}

// The first of two formats within 2 % was taken.
TEST(PlanAnswer, choosesTheSameOfFormatsInAnyOrder) {
    RP_REQUIRE_FIXTURES();
    PlanQuestion question = someQuestion();
    question.spec.model.path = (testing::fixtures() / "configs" / "Qwen3-8B.json").string();
    question.spec.data.maxLength = 1024;
    question.spec.batch.microbatches = 0;
    for (const char* rig : {"4090,ram=64", "4090,ram=4"}) {
        question.spec.model.weights = WeightFormat::kNf4;
        question.otherWeights = {WeightFormat::kInt8};
        const PlanAnswer nf4First = answer(question, plan::loadRig(rig));
        question.spec.model.weights = WeightFormat::kInt8;
        question.otherWeights = {WeightFormat::kNf4};
        const PlanAnswer int8First = answer(question, plan::loadRig(rig));
        EXPECT_EQ(nf4First.training.weights, int8First.training.weights);
        EXPECT_EQ(nf4First.tokensPerSecond, int8First.tokensPerSecond);
        EXPECT_EQ(nf4First.choice.shape.roundSize, int8First.choice.shape.roundSize);
        EXPECT_EQ(nf4First.problem.text(), int8First.problem.text());
    }
}

// It was planned as if nothing had been said of weights.
TEST(PlanAnswer, refusesAFormatOfExpertsWhereThereAreNone) {
    PlanQuestion question = someQuestion();
    question.spec.model.weights = WeightFormat::kMxfp4;
    const plan::Rig rig = plan::loadRig("4090");
    expectError(ErrorKind::kInvalidInput, {"mxfp4", "experts", "nf4"}, [&] { answer(question, rig); });
    std::swap(question.spec.model.weights, question.otherWeights.emplace_back(WeightFormat::kAsIs));
    expectError(ErrorKind::kInvalidInput, {"mxfp4", "experts", "nf4"}, [&] { answer(question, rig); });
}

TEST(PlanAnswer, hasGivenStagesFirstAndBetterOnesAfterThem) {
    std::vector<PlanAnswer> told;
    const plan::Rig rig = plan::loadRig("4x4090");
    const PlanAnswer found = answer(badCuts(), rig, [&](const PlanAnswer& soFar) { told.push_back(soFar); });
    ASSERT_GE(told.size(), 2u);
    EXPECT_EQ(told.front().choice.plan.forward, (std::vector<plan::LayerRange>{{0, 11}}));
    EXPECT_FALSE(told.front().better);
    ASSERT_TRUE(found.better);
    EXPECT_EQ(found.choice.plan.forward, told.front().choice.plan.forward);
    EXPECT_LT(found.better->stepSeconds, found.choice.step.stepSeconds);
    const PlanAnswer chosen = answer(someQuestion(), rig);
    EXPECT_EQ(found.better->plan.describe(), chosen.choice.plan.describe());

    PlanQuestion alone = badCuts();
    alone.seeksBetter = false;
    EXPECT_FALSE(answer(alone, rig).better);
}

TEST(PlanAnswer, saysWhatWouldHelpWhereNothingFits) {
    PlanQuestion question = someQuestion();
    question.spec.batch.microbatchSize = 65536;
    std::vector<PlanAnswer> told;
    const PlanAnswer found =
        answer(question, plan::loadRig("4090"), [&](const PlanAnswer& soFar) { told.push_back(soFar); });
    EXPECT_FALSE(found.hasPlan);
    EXPECT_NE(found.problem.text().find("does not fit"), std::string::npos) << found.problem.text();
    EXPECT_FALSE(found.fixes.empty());
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.front().problem, found.problem); // told before the search for fixes
    EXPECT_TRUE(told.front().fixes.empty());

    question.spec.engine.forwardStages = {11};
    question.spec.engine.backwardStages = {1, 11};
    const PlanAnswer given = answer(question, plan::loadRig("4090"));
    EXPECT_TRUE(given.hasPlan);
    EXPECT_NE(given.problem.text().find("needs"), std::string::npos) << given.problem.text();
    EXPECT_FALSE(given.fixes.empty());
}

// What is shown of a plan that does not fit is what the reason is of.
TEST(PlanAnswer, showsTheSmallestPlanWhereNothingFits) {
    PlanQuestion question = someQuestion();
    const plan::Rig rig = plan::loadRig("4090");
    question.shown = answer(question, rig).choice.plan;
    question.spec.batch.microbatchSize = 65536;
    question.showsSmallest = question.wantsTimeline = true;
    const PlanAnswer found = answer(question, rig);
    ASSERT_TRUE(found.hasPlan);
    EXPECT_EQ(found.problem.obstacle, plan::Misfit::Obstacle::kSmallestPlan);
    EXPECT_EQ(found.layers.size(), 12U);
    EXPECT_FALSE(found.stages.empty());
    ASSERT_EQ(found.choice.deviceMemory.size(), 1U);
    ASSERT_NE(found.problem.largest(), nullptr);
    EXPECT_EQ(found.problem.shortfalls.front().neededBytes, found.choice.deviceMemory.front().total());
    EXPECT_FALSE(found.timeline) << "a step that can't be is not predicted";
}

TEST(PlanAnswer, offersSettingsThatHelpTogether) {
    PlanQuestion question = someQuestion();
    question.spec.lora.rank = 1024;
    question.spec.data.maxLength = 8192;
    question.spec.batch.microbatchSize = 1;
    plan::Rig rig = plan::loadRig("4090");
    PlanAnswer found;
    for (plan::DeviceSpec& device = rig.devices.front(); found.together.empty() && device.memoryBytes > 1'000'000;
         device.memoryBytes -= device.memoryBytes / 16) {
        found = answer(question, rig);
        if (found.together.empty()) continue;
        for (const plan::Fix& fix : found.fixes)
            EXPECT_FALSE(isSetting(fix.kind));
        ASSERT_GE(found.together.size(), 2U);
        PlanQuestion changed = question;
        for (const plan::Fix& fix : found.together) {
            EXPECT_FALSE(answer(changed, rig).problem.empty()) << fix.change() << " is not needed";
            EXPECT_TRUE(apply(fix, changed.spec)) << fix.change();
        }
        EXPECT_TRUE(answer(changed, rig).problem.empty());
    }
    EXPECT_FALSE(found.together.empty());
}

// Smaller rounds alone are enough, and slower by a third.
TEST(PlanAnswer, offersTheFastestWayOfTheSameStep) {
    RP_REQUIRE_FIXTURES();
    PlanQuestion question = someQuestion();
    question.spec.model.path = (testing::fixtures() / "configs/Llama-3.1-8B.json").string();
    question.spec.data.maxLength = 16'384;
    question.spec.batch = {.microbatchSize = 4, .microbatches = 64, .rounds = 4};
    const plan::Rig rig = plan::loadRig("4x3090@pcie3x8,ram=48");
    const PlanAnswer found = answer(question, rig);
    double best = 0;
    for (const plan::Fix& fix : found.fixes)
        if (plan::keepsResults(fix.kind)) best = std::max(best, fix.tokensPerSecond);
    EXPECT_GT(best, 0) << "alone";
    ASSERT_FALSE(found.together.empty());
    EXPECT_GE(found.together.front().tokensPerSecond, 1.2 * best);
    PlanQuestion changed = question;
    for (const plan::Fix& fix : found.together)
        EXPECT_TRUE(plan::keepsResults(fix.kind) && apply(fix, changed.spec)) << fix.change();
    EXPECT_EQ(changed.spec.batch.examplesPerStep(), question.spec.batch.examplesPerStep());
    const PlanAnswer followed = answer(changed, rig);
    EXPECT_TRUE(followed.problem.empty());
    EXPECT_GE(followed.tokensPerSecond, found.together.front().tokensPerSecond);
}

// Every remedy that is a setting, made: then the plan is there, and it is not refused for a number that nobody gave.
TEST(PlanAnswer, offersSettingsThatHelp) {
    std::mt19937_64 random(3);
    const auto upTo = [&](int64_t most) { return 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most)); };
    int numSettings = 0;
    for (int i = 0; i < 32; ++i) {
        PlanQuestion question = someQuestion();
        RunSpec& spec = question.spec;
        spec.engine.replicas = i % 2 == 0 ? Replicas::kNever : Replicas::kAuto;
        spec.batch = {upTo(6), upTo(3), upTo(3)};
        if (random() % 3 == 0) spec.batch.microbatchTokens = 255 + upTo(2000);
        if (random() % 3 == 0) spec.batch.tokensPerStep = 255 + upTo(3000);
        spec.batch.packing = random() % 3 == 0 ? Packing::kByLength : Packing::kNone;
        if (random() % 2 == 0) question.lengths.averageLength = static_cast<double>(upTo(256));
        plan::Rig rig = plan::loadRig("2x4090");
        const PlanAnswer fits = answer(question, rig);
        const plan::DeviceMemoryTable& taken = fits.choice.deviceMemory.front();
        for (plan::DeviceSpec& device : rig.devices)
            device.memoryBytes = taken.context + taken.ownBytes() / 4 + upTo(taken.ownBytes() / 4);
        SCOPED_TRACE(::testing::Message() << "case " << i << ", " << toJson(spec));
        for (const plan::Fix& fix : answer(question, rig).fixes) {
            PlanQuestion changed = question;
            if (!apply(fix, changed.spec)) continue;
            ++numSettings;
            changed.lengths.averageLength =
                std::min<double>(question.lengths.averageLength, changed.spec.data.maxLength);
            EXPECT_TRUE(answer(changed, rig).problem.empty()) << fix.change();
        }
    }
    EXPECT_GT(numSettings, 5);
}

// Whatever the numbers, in seconds and without taking the machine's memory.
TEST(PlanAnswer, boundsWhatIsReplayed) {
    for (const batch::StepRules& rules :
         {batch::StepRules{65'536, 4, 1}, batch::StepRules{1, 4096, 8}, batch::StepRules{1, 4, 4096},
          batch::StepRules{.tokensPerStep = 100'000'000, .microbatchTokens = 50'000'000}}) {
        PlanQuestion question = someQuestion();
        question.spec.batch = rules;
        question.compares = question.wantsTimeline = true;
        const PlanAnswer found = answer(question, plan::loadRig("2x4090"));
        EXPECT_NE(found.hasPlan, !found.problem.empty()) << rules.microbatchSize;
        if (found.timeline) {
            EXPECT_LT(found.timeline->records.size(), 2'000'000u);
        }
    }
}

TEST(PlanAnswer, keepsRoundsWholeInWhatItOffers) {
    PlanQuestion question = someQuestion();
    question.spec.batch = {.microbatchSize = 3, .microbatches = 1, .rounds = 2};
    question.spec.data.maxLength = 1 << 20;
    const PlanAnswer found = answer(question, plan::loadRig("2x4090"));
    ASSERT_FALSE(found.fixes.empty()) << found.problem.text();
    for (const plan::Fix& fix : found.fixes)
        EXPECT_TRUE(fix.kind != plan::FixKind::kMicrobatch || fix.value == 1) << "two do not divide three";
}

TEST(PlanAnswer, refusesWhatContradictsItself) {
    const plan::Rig rig = plan::loadRig("4090");
    PlanQuestion question = someQuestion();
    question.spec.data.maxLength = 0;
    expectError(ErrorKind::kInvalidInput, {"data.max_length"}, [&] { answer(question, rig); });
    question = badCuts();
    question.spec.engine.forwardStages = {4};
    expectError(ErrorKind::kInvalidInput, {"stage"}, [&] { answer(question, rig); });
}

TEST(PlanAnswer, isGivenUpSoonAfterAStop) {
    std::stop_source stop;
    stop.request_stop();
    expectError(ErrorKind::kCancelled, {},
                [&] { answer(longQuestion(), plan::loadRig("8x4090"), {}, stop.get_token()); });
}

// Updates until the last one, or for a minute.
std::vector<PlanUpdate> waitForLast(Planner& planner) {
    std::vector<PlanUpdate> all;
    const auto until = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < until) {
        for (PlanUpdate& update : planner.takeUpdates())
            all.push_back(std::move(update));
        if (!all.empty() && all.back().isLast) break;
        std::this_thread::sleep_for(1ms);
    }
    return all;
}

TEST(Planner, answersInTheBackground) {
    const auto planner = makePlanner();
    const uint64_t number = planner->ask(badCuts(), "4x4090");
    const std::vector<PlanUpdate> updates = waitForLast(*planner);
    ASSERT_GE(updates.size(), 2u);
    for (const PlanUpdate& update : updates) {
        EXPECT_EQ(update.question, number);
        ASSERT_TRUE(update.answer);
        EXPECT_EQ(update.isLast, &update == &updates.back());
    }
    EXPECT_FALSE(updates.front().answer->better);
    EXPECT_TRUE(updates.back().answer->better);
    EXPECT_TRUE(planner->takeUpdates().empty());
}

TEST(Planner, givesUpAQuestionForTheNext) {
    const auto planner = makePlanner();
    for (int i = 0; i < 5; ++i)
        planner->ask(longQuestion(), "8x4090");
    const uint64_t last = planner->ask(someQuestion(), "2x3090");
    const std::vector<PlanUpdate> updates = waitForLast(*planner);
    ASSERT_FALSE(updates.empty());
    for (const PlanUpdate& update : updates)
        EXPECT_EQ(update.question, last);
    EXPECT_EQ(updates.back().answer->rig.devices.size(), 2u);
}

TEST(Planner, saysNothingAfterACancel) {
    const auto planner = makePlanner();
    planner->ask(longQuestion(), "8x4090");
    planner->cancel();
    std::this_thread::sleep_for(50ms);
    EXPECT_TRUE(planner->takeUpdates().empty());
    planner->ask(someQuestion(), "4090");
    EXPECT_TRUE(waitForLast(*planner).back().answer);
}

TEST(Planner, deliversErrorsAsUpdates) {
    const auto planner = makePlanner();
    planner->ask(someQuestion(), "4x9999");
    PlanUpdate update = waitForLast(*planner).back();
    EXPECT_FALSE(update.answer);
    EXPECT_EQ(update.problemKind, ErrorKind::kInvalidInput);
    EXPECT_NE(update.problem.find("9999"), std::string::npos) << update.problem;
    planner->ask(someQuestion(), "this");
    update = waitForLast(*planner).back();
    EXPECT_EQ(update.problemKind, ErrorKind::kDevice);
    EXPECT_NE(update.advice.find("4x4090"), std::string::npos) << update.advice;
}

TEST(Planner, measuresTheMachineOnce) {
    std::atomic<int> numProbed{0};
    const auto planner = makePlanner([&](const std::vector<std::string>& devices, const std::stop_token&) {
        ++numProbed;
        EXPECT_EQ(devices, std::vector<std::string>{"auto"});
        return plan::loadRig("2x4090");
    });
    for (int i = 0; i < 3; ++i) {
        planner->ask(someQuestion(), "this");
        const PlanUpdate update = waitForLast(*planner).back();
        ASSERT_TRUE(update.answer) << update.problem;
        EXPECT_EQ(update.answer->rig.devices.size(), 2u);
    }
    EXPECT_EQ(numProbed, 1);
}

// A probe that waits, for a library to be loaded, say.
TEST(Planner, givesUpAQuestionWhoseProbeWaits) {
    const RigProbe waits = [](const std::vector<std::string>&, const std::stop_token& stop) -> plan::Rig {
        while (!stop.stop_requested())
            std::this_thread::sleep_for(1ms);
        throw Error(ErrorKind::kCancelled, "given up");
    };
    auto planner = makePlanner(waits);
    planner->ask(someQuestion(), "this");
    const uint64_t next = planner->ask(someQuestion(), "2x4090");
    const std::vector<PlanUpdate> updates = waitForLast(*planner);
    EXPECT_EQ(updates.front().question, next);
    EXPECT_TRUE(updates.back().answer);
    planner->ask(someQuestion(), "this");
    planner.reset(); // ends, though the probe still waits
}

} // namespace
} // namespace roundpipe::session
