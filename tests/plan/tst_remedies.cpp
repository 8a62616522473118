// SPDX-License-Identifier: GPL-3.0-or-later
// Where nothing fits, the answer is quick, and what is advised, followed, fits.
#include "arch/layers.h"
#include "plan/cost/cost_model.h"
#include "plan/remedies/changes.h"
#include "plan/remedies/faster_step.h"
#include "plan/remedies/fixes.h"
#include "plan/rig/rig_notation.h"
#include "plan/search/least_memory.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

namespace roundpipe::plan {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

arch::ModelSpec published(const std::string& name) {
    return arch::makeModelSpec(arch::readModelConfig(testing::fixtures() / "configs" / (name + ".json")));
}

ModelRequest question(const std::string& model, const char* rig, int64_t maxLength) {
    ModelRequest request;
    request.model = published(model);
    request.rig = parseRig(rig);
    request.training.maxLength = maxLength;
    request.training.lora.rank = 16;
    request.sequencesPerStep = int64_t{4} * request.rig.numDevices();
    request.rounds = 1;
    return request;
}

// Effort decides how fast a plan is, and on unequal devices now and then whether one is found.
SearchOptions quick() {
    SearchOptions options;
    options.effort = 20'000;
    return options;
}

bool isPlanned(const ModelRequest& request, const SearchOptions& options = quick()) {
    try {
        return misfitOf(chooseForModel(request, options).choice, request.rig).empty();
    } catch (const DoesNotFit&) {
        return false;
    }
}

// As a person makes it, by the numbers of what is advised alone.
void follow(const Fix& fix, ModelRequest& request) {
    TrainingShape& training = request.training;
    int64_t microbatches = 0, perRound = 0;
    switch (fix.kind) {
    case FixKind::kMicrobatch:
        training.sequences = fix.value;
        return;
    case FixKind::kRoundSize:
        request.rounds = static_cast<int32_t>(request.sequencesPerStep / training.sequences / fix.value);
        return;
    case FixKind::kStepTokens:
        microbatches = fix.value / training.maxLength / training.sequences;
        perRound = request.sequencesPerStep / training.sequences / request.rounds;
        request.rounds = static_cast<int32_t>((microbatches + perRound - 1) / perRound);
        request.sequencesPerStep = request.rounds * perRound * training.sequences;
        return;
    case FixKind::kPrecision:
        training.operandType = fix.value == 32 ? DType::kF32 : DType::kBF16;
        return;
    case FixKind::kRank:
        training.lora.rank = fix.value;
        return;
    case FixKind::kLength:
        training.maxLength = fix.value;
        return;
    case FixKind::kBits:
        training.weights = fix.value == 8 ? WeightFormat::kInt8 : WeightFormat::kNf4;
        return;
    case FixKind::kMethod:
        training.trainsBase = false;
        return;
    case FixKind::kDisk:
        request.rig.host.diskBytes = fix.value;
        return;
    case FixKind::kPageLock:
        request.rig.host.pinnedBytes = fix.value;
        return;
    case FixKind::kHostMemory:
        request.rig.host.memoryBytes = fix.value;
        return;
    case FixKind::kDevices:
        for (DeviceSpec& device : request.rig.devices)
            device.memoryBytes = std::max(device.memoryBytes, fix.value);
        return;
    case FixKind::kMicrobatchTokens:
        FAIL() << "there is no limit of tokens to lower";
    }
}

// These took up to 25 s of searches, each of which was bound to find nothing.
TEST(Remedies, wantNoSearchToSayNo) {
    RP_REQUIRE_FIXTURES();
    for (const ModelRequest& tight :
         {question("Qwen3-235B-A22B", "8x4090,ram=800", 32'768), question("Mistral-7B-v0.1", "2x4090+2x3090", 131'072),
          question("Qwen3-8B", "1x4090", 131'072)}) {
        bool hasRemedy = false;
        const Costs costs = modelCosts(tight.model, tight.training, tight.rig);
        const StepShape shape{static_cast<int32_t>(tight.sequencesPerStep)};
        EXPECT_TRUE(fitsNowhere(tight.rig, costs, shape));
        EXPECT_FALSE(fits(planOfLeastMemory(tight.rig, costs, shape), tight.rig, costs, shape));
        EXPECT_FALSE(isPlanned(tight));
        for (const Fix& fix : smallestFixes(tight, quick()))
            hasRemedy = hasRemedy || isSetting(fix.kind);
        EXPECT_TRUE(hasRemedy);
    }
}

// Lengths used to be halved.
TEST(Remedies, keepAllOfALengthButALittle) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-8B", "1x4090", 131'072);
    tight.model.config.maxPositions = 131'072;
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    const auto length = std::ranges::find(fixes, FixKind::kLength, &Fix::kind);
    ASSERT_NE(length, fixes.end());
    EXPECT_EQ(length->value % 256, 0);
    ModelRequest changed = tight;
    follow(*length, changed);
    EXPECT_TRUE(isPlanned(changed)) << length->change();
    changed.training.maxLength += 256;
    EXPECT_FALSE(isPlanned(changed)) << "one step more than " << length->value;
}

TEST(Remedies, offerNoLengthBeyondTheModelsPositions) {
    RP_REQUIRE_FIXTURES();
    const ModelRequest tight =
        question("Qwen3-8B", "1x4090", 131'072); // 40,960 positions; some 80,000 tokens would fit
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    const auto length = std::ranges::find(fixes, FixKind::kLength, &Fix::kind);
    ASSERT_NE(length, fixes.end());
    EXPECT_EQ(length->value, tight.model.config.maxPositions);
}

TEST(Remedies, offerNoMemoryWhereTheLimitIsOfPageLocking) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-8B", "1x4090,ram=128", 4096);
    ASSERT_TRUE(isPlanned(tight));
    tight.rig.host.pinnedBytes = 8 * kGiB;
    ASSERT_FALSE(isPlanned(tight));
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    for (const Fix& fix : fixes)
        EXPECT_NE(fix.kind, FixKind::kHostMemory) << fix.change();
    const auto limit = std::ranges::find(fixes, FixKind::kPageLock, &Fix::kind);
    ASSERT_NE(limit, fixes.end());
    follow(*limit, tight);
    EXPECT_TRUE(isPlanned(tight)) << limit->change();
    tight.rig.host.pinnedBytes -= kGiB;
    EXPECT_FALSE(isPlanned(tight)) << "a step less than " << limit->change();
}

// Nothing was said to make it fit.
TEST(Remedies, raiseMemoryAndTheLimitOfPageLockingTogether) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-8B", "1x4090", 2048);
    tight.rig.host.memoryBytes = 10 * kGiB;
    tight.rig.host.pinnedBytes = 5 * kGiB;
    ASSERT_FALSE(isPlanned(tight));
    EXPECT_TRUE(smallestFixes(tight, quick()).empty());
    EXPECT_TRUE(smallestCombination(tight, Among::kSettings, quick()).empty());
    const std::vector<Fix> together = smallestCombination(tight, Among::kEverything, quick());
    ASSERT_FALSE(together.empty());
    for (const Fix& fix : together) {
        EXPECT_NE(fix.kind, FixKind::kHostMemory) << "fewer bits and what is there are enough";
        follow(fix, tight);
    }
    EXPECT_TRUE(isPlanned(tight));

    ModelRequest full = question("Qwen3-8B", "1x4090", 2048);
    full.training.trainsBase = true; // no fewer bits of these
    full.rig.host.memoryBytes = 10 * kGiB;
    full.rig.host.pinnedBytes = 5 * kGiB;
    const std::vector<Fix> more = smallestCombination(full, Among::kEverything, quick());
    EXPECT_NE(std::ranges::find(more, FixKind::kHostMemory, &Fix::kind), more.end());
    EXPECT_NE(std::ranges::find(more, FixKind::kPageLock, &Fix::kind), more.end());
    for (const Fix& fix : more)
        follow(fix, full);
    EXPECT_TRUE(isPlanned(full));
}

// 448 GiB were all that was offered to whom 128 are enough with a rounded base.
TEST(Remedies, roundABaseWhereThatSparesMostOfTheMemory) {
    RP_REQUIRE_FIXTURES();
    const ModelRequest tight = question("Qwen3-235B-A22B", "1x4090,ram=64", 1024);
    const std::vector<Fix> alone = smallestFixes(tight, quick());
    ASSERT_EQ(alone.size(), 1U);
    ASSERT_EQ(alone.front().kind, FixKind::kHostMemory);
    EXPECT_TRUE(smallestCombination(tight, Among::kSettings, quick()).empty());
    const std::vector<Fix> together = bitsAndLessMemory(tight, alone.front(), quick());
    ASSERT_EQ(together.size(), 2U);
    EXPECT_EQ(together[0].kind, FixKind::kBits);
    EXPECT_EQ(together[1].kind, FixKind::kHostMemory);
    EXPECT_LE(together[1].value, alone.front().value / 2);
    const auto isEnough = [&](int64_t less) {
        ModelRequest changed = tight;
        for (Fix fix : together) {
            if (fix.kind == FixKind::kHostMemory) fix.value -= less;
            follow(fix, changed);
        }
        return isPlanned(changed);
    };
    EXPECT_TRUE(isEnough(0));
    EXPECT_FALSE(isEnough(32 * kGiB)) << "a step less";
    ModelRequest rounded = tight;
    rounded.training.weights = WeightFormat::kNf4; // there are no fewer bits
    EXPECT_TRUE(bitsAndLessMemory(rounded, smallestFixes(rounded, quick()).front(), quick()).empty());
}

TEST(Remedies, sayNoMoreThanIsThere) {
    EXPECT_EQ(roundedDown(22'499), 22'400);
    EXPECT_EQ(roundedDown(1'238'000), 1'230'000);
    EXPECT_EQ(roundedDown(45.9), 45);
    EXPECT_DOUBLE_EQ(roundedDown(0.837), 0.83) << "it was nothing, and not said";
    EXPECT_EQ(roundedDown(0), 0);
}

// Who takes which stage decides there: 12,288 tokens were offered where 14,336 fit.
TEST(Remedies, keepAllOfALengthOnUnequalDevices) {
    RP_REQUIRE_FIXTURES();
    for (const char* rig : {"4090+3090,ram=64", "2x4090+3090,ram=64", "4090+2x3090,ram=256", "4x4090+4x3090,ram=800"})
        for (const char* model : {"Qwen3-1.7B", "Qwen3-8B", "gpt-oss-20b"})
            for (const int quarters : {2, 3}) {
                ModelRequest tight = question(model, rig, 131'072);
                tight.model.config.maxPositions = 131'072;
                for (DeviceSpec& device : tight.rig.devices)
                    if (device.name == "RTX 4090") device.memoryBytes = device.memoryBytes * quarters / 4;
                SCOPED_TRACE(::testing::Message() << model << " on " << rig << ", " << quarters << " quarters");
                const std::vector<Fix> fixes = smallestFixes(tight, quick());
                const auto length = std::ranges::find(fixes, FixKind::kLength, &Fix::kind);
                ASSERT_NE(length, fixes.end());
                ModelRequest changed = tight;
                follow(*length, changed);
                EXPECT_TRUE(isPlanned(changed)) << length->change();
                for (const int64_t steps : {1, 2, 4}) {
                    changed.training.maxLength = length->value + 256 * steps;
                    EXPECT_FALSE(isPlanned(changed)) << steps << " steps more than " << length->value;
                }
            }
}

TEST(Remedies, offerFewerDigitsToWhoAskedForMany) {
    RP_REQUIRE_FIXTURES();
    const auto asked = [](int64_t length, DType type) {
        ModelRequest tight = question("Qwen3-8B", "1x4090,ram=256", length);
        tight.training.operandType = type;
        return tight;
    };
    const ModelRequest tight = asked(65'536, DType::kF32);
    ASSERT_FALSE(isPlanned(tight));
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    const auto precision = std::ranges::find(fixes, FixKind::kPrecision, &Fix::kind);
    ASSERT_NE(precision, fixes.end());
    EXPECT_EQ(precision->change(), "precision bf16");
    ModelRequest changed = tight;
    follow(*precision, changed);
    EXPECT_EQ(changed.training.operandType, DType::kBF16);
    EXPECT_TRUE(isPlanned(changed));
    const ModelRequest half = asked(131'072, DType::kBF16);
    ASSERT_FALSE(isPlanned(half));
    EXPECT_TRUE(std::ranges::none_of(smallestFixes(half, quick()),
                                     [](const Fix& fix) { return fix.kind == FixKind::kPrecision; }));
}

// Where it alone is not enough it stands beside what is.
TEST(Remedies, offerFewerDigitsBesideOthers) {
    RP_REQUIRE_FIXTURES();
    int numBeside = 0;
    for (const int64_t rank : {256, 1024, 2048}) {
        ModelRequest tight = question("Qwen3-8B", "1x4090,ram=256", 32'768);
        tight.training.operandType = DType::kF32;
        tight.training.lora.rank = rank;
        tight.rig.devices.front().memoryBytes /= 2;
        const std::vector<Fix> together = smallestCombination(tight, Among::kSettings, quick());
        ModelRequest changed = tight;
        for (const Fix& fix : together)
            follow(fix, changed);
        EXPECT_TRUE(isPlanned(changed));
        numBeside +=
            together.size() > 1 && std::ranges::find(together, FixKind::kPrecision, &Fix::kind) != together.end();
    }
    EXPECT_GT(numBeside, 0);
}

// Packets of 32 microbatches at once leave replicas alone, at 683 tokens/s where two rounds have 1,039.
TEST(Remedies, offerRoundsWhereTheHostIsShort) {
    RP_REQUIRE_FIXTURES();
    ModelRequest request = question("Qwen3-32B", "2x4090+2x3090,ram=512", 16'384);
    request.training.sequences = 2;
    request.sequencesPerStep = 64;
    const ModelChoice found = chooseForModel(request);
    const auto faster = fasterRounds(request, found);
    ASSERT_TRUE(faster.has_value());
    EXPECT_EQ(faster->kind, FixKind::kRoundSize);
    EXPECT_GT(faster->tokensPerSecond, 1.3 * found.tokensPerSecond);
    follow(*faster, request);
    EXPECT_DOUBLE_EQ(chooseForModel(request).tokensPerSecond, faster->tokensPerSecond);

    const ModelRequest roomy = question("Qwen3-8B", "4x4090,ram=512", 2048);
    EXPECT_FALSE(fasterRounds(roomy, chooseForModel(roomy)).has_value());
}

TEST(Remedies, makeRoundsSmallerWhereTheirPacketsDoNotFit) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-8B", "2x4090,ram=64", 16'384);
    tight.sequencesPerStep = 512;
    tight.replicas = Replicas::kNever;
    ASSERT_FALSE(isPlanned(tight));
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    const auto rounds = std::ranges::find(fixes, FixKind::kRoundSize, &Fix::kind);
    ASSERT_NE(rounds, fixes.end());
    follow(*rounds, tight);
    EXPECT_TRUE(isPlanned(tight)) << rounds->change();
}

// What devices hold of each microbatch of a step is small, but there are half a million: shorter sequences and larger
// GPUs were advised.
TEST(Remedies, makeAStepOfVeryManyTokensSmaller) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-8B", "1x4090", 2048);
    tight.rounds = 122'070;
    tight.sequencesPerStep = int64_t{4} * tight.rounds;
    tight.tokensPerStep = tight.sequencesPerStep * 2048;
    ASSERT_FALSE(isPlanned(tight));
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    const auto fewer = std::ranges::find(fixes, FixKind::kStepTokens, &Fix::kind);
    ASSERT_NE(fewer, fixes.end());
    EXPECT_TRUE(isSetting(fewer->kind));
    EXPECT_GT(fewer->value, tight.tokensPerStep / 10);
    ModelRequest changed = tight;
    follow(*fewer, changed);
    EXPECT_TRUE(isPlanned(changed)) << fewer->change();
    changed.rounds += changed.rounds / 16;
    changed.sequencesPerStep = int64_t{4} * changed.rounds;
    EXPECT_FALSE(isPlanned(changed)) << "more than " << fewer->change();
    tight.tokensPerStep = 0;
    EXPECT_TRUE(std::ranges::none_of(smallestFixes(tight, quick()), [](const Fix& fix) {
        return fix.kind == FixKind::kStepTokens;
    })) << "of a step that is said in examples";
}

// One change that is enough hid others that spare more: half of a length was offered where smaller microbatches leave
// nearly all of it.
TEST(Remedies, spareWhatHurtsByChangesThatDoNot) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-235B-A22B", "8x4090,ram=800", 36'864);
    tight.training.sequences = 2;
    tight.sequencesPerStep = 8;
    const std::vector<Fix> alone = smallestFixes(tight, quick());
    ASSERT_TRUE(std::ranges::none_of(alone, keepsResults, &Fix::kind));
    const auto length = std::ranges::find(alone, FixKind::kLength, &Fix::kind);
    ASSERT_NE(length, alone.end());
    const std::vector<Fix> together = smallestCombination(tight, Among::kSettings, quick());
    ASSERT_TRUE(isBeside(together, alone));
    const auto longer = std::ranges::find(together, FixKind::kLength, &Fix::kind);
    ASSERT_NE(longer, together.end());
    EXPECT_GT(longer->value, 3 * length->value / 2);
    EXPECT_EQ(std::ranges::find(together, FixKind::kRank, &Fix::kind), together.end()) << "for a few tokens more";
    for (const Fix& fix : together)
        follow(fix, tight);
    EXPECT_TRUE(isPlanned(tight));
}

TEST(Remedies, stayAloneWhereOthersSpareNothing) {
    const Fix microbatch{FixKind::kMicrobatch, 1}, rounds{FixKind::kRoundSize, 4}, rank{FixKind::kRank, 8};
    const Fix half{FixKind::kLength, 2048}, more{FixKind::kLength, 4096}, hardly{FixKind::kLength, 2080};
    const auto beside = [](std::vector<Fix> together, std::vector<Fix> alone) { return isBeside(together, alone); };
    EXPECT_TRUE(beside({more, microbatch}, {half}));
    EXPECT_TRUE(beside({rank, microbatch}, {half})) << "another choice";
    EXPECT_FALSE(beside({hardly, microbatch}, {half}));
    EXPECT_FALSE(beside({more, microbatch}, {rounds, half})) << "rounds cost nothing but speed";
    EXPECT_FALSE(beside({rank}, {half})) << "alone it would be said already";
    EXPECT_TRUE(beside({rank, microbatch}, {Fix{FixKind::kDevices, 1 << 30}})) << "nothing is enough that is a setting";
}

// A few by default; tests/bench/README.md names the command that asks many, and says how long each takes.
int numQuestions() {
    const char* wanted = std::getenv("ROUNDPIPE_QUESTIONS");
    return wanted != nullptr ? std::atoi(wanted) : 24;
}

const Fix* find(const std::vector<Fix>& fixes, FixKind kind) {
    const auto found = std::ranges::find(fixes, kind, &Fix::kind);
    return found == fixes.end() ? nullptr : &*found;
}

// Not by halves: 88 fit where 64 were offered.
TEST(Remedies, keepAllOfARankButALittle) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen2.5-7B", "2x3090@pcie3x4,ram=24", 16'384);
    tight.training.lora.rank = 512;
    const std::vector<Fix> fixes = smallestFixes(tight);
    const Fix* const rank = find(fixes, FixKind::kRank);
    ASSERT_NE(rank, nullptr);
    tight.training.lora.rank = rank->value;
    EXPECT_TRUE(isPlanned(tight));
    tight.training.lora.rank = rank->value + 8;
    EXPECT_FALSE(isPlanned(tight)) << rank->value;
}

// The same examples a step at their full length, which neither of the two leaves alone.
TEST(Remedies, makeMicrobatchesAndRoundsSmallerTogether) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen2.5-7B", "4x4090,ram=64", 32'768);
    tight.training.sequences = 3;
    tight.sequencesPerStep = 105;
    tight.rounds = 5;
    const std::vector<Fix> together = smallestCombination(tight, Among::kSettings);
    ASSERT_EQ(together.size(), 2U);
    EXPECT_EQ(together[0].kind, FixKind::kMicrobatch);
    EXPECT_EQ(together[1].kind, FixKind::kRoundSize);
}

// 31,488 tokens would leave rank 1.
TEST(Remedies, spareARankForAFewTokens) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-8B", "4090+3090,ram=67", 40'960);
    tight.rig.host.pinnedBytes = 6 * kGiB;
    tight.training.lora.rank = 128;
    tight.training.sequences = 2;
    const std::vector<Fix> together = smallestCombination(tight, Among::kSettings);
    const Fix *const length = find(together, FixKind::kLength), *const rank = find(together, FixKind::kRank);
    ASSERT_NE(length, nullptr);
    EXPECT_GT(length->value, 28'000);
    EXPECT_TRUE(rank == nullptr || rank->value >= 8);
}

// Nothing was offered.
TEST(Remedies, freeADiskThatIsTooSmall) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-1.7B", "1xh200,ram=512", 2048);
    tight.training.trainsBase = true;
    ASSERT_TRUE(isPlanned(tight));
    tight.rig.host.diskBytes = 8 * kGiB;
    ASSERT_FALSE(isPlanned(tight));
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    for (const FixKind kind : {FixKind::kDisk, FixKind::kMethod}) {
        const Fix* const fix = find(fixes, kind);
        ASSERT_NE(fix, nullptr) << spellingOf(kind);
        ModelRequest changed = tight;
        follow(*fix, changed);
        EXPECT_TRUE(isPlanned(changed)) << fix->change();
    }
    tight.rig.host.diskBytes = find(fixes, FixKind::kDisk)->value - kGiB;
    EXPECT_FALSE(isPlanned(tight)) << "a step less";
}

// Of full fine-tuning that does not fit, adapters were no remedy: alone, and where they need others beside them.
TEST(Remedies, offerAdaptersInsteadOfAllWeights) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-8B", "1x4090,ram=64", 2048);
    tight.training.trainsBase = true;
    const std::vector<Fix> fixes = smallestFixes(tight, quick());
    const Fix* const adapters = find(fixes, FixKind::kMethod);
    ASSERT_NE(adapters, nullptr);
    EXPECT_TRUE(isSetting(adapters->kind));
    EXPECT_FALSE(keepsResults(adapters->kind));
    follow(*adapters, tight);
    EXPECT_TRUE(isPlanned(tight));
    EXPECT_EQ(find(smallestFixes(question("Qwen3-8B", "1x4090,ram=8", 2048), quick()), FixKind::kMethod), nullptr);

    ModelRequest tighter = question("Qwen3-8B", "1x4090,ram=12", 2048);
    tighter.training.trainsBase = true;
    const std::vector<Fix> together = smallestCombination(tighter, Among::kSettings, quick());
    ASSERT_NE(find(together, FixKind::kMethod), nullptr);
    EXPECT_NE(find(together, FixKind::kBits), nullptr);
    for (const Fix& fix : together)
        follow(fix, tighter);
    EXPECT_TRUE(isPlanned(tighter));
}

// Rounds of the same microbatches were offered alone, with 2,329 tokens/s.
TEST(Remedies, seekTheFastestOfTheSameStep) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Llama-3.1-8B", "4x3090@pcie3x8,ram=48", 16'384);
    tight.training.sequences = 4;
    tight.sequencesPerStep = 1024;
    tight.rounds = 4;
    ASSERT_FALSE(isPlanned(tight));
    const std::vector<Fix> fastest = fastestOfSameStep(tight);
    ASSERT_FALSE(fastest.empty());
    ModelRequest changed = tight;
    for (const Fix& fix : fastest) {
        EXPECT_TRUE(keepsResults(fix.kind));
        follow(fix, changed);
    }
    EXPECT_GT(chooseForModel(changed).tokensPerSecond, 3'200) << "the fastest has 3,318";
    tight.rounds = 0;
    EXPECT_TRUE(fastestOfSameStep(tight).empty()) << "open rounds are the fastest anyway";
}

// They have the host's memory.
TEST(Remedies, offerNoOtherDevicesForCpuWorkers) {
    RP_REQUIRE_FIXTURES();
    for (const Fix& fix : smallestFixes(question("Qwen3-0.6B", "3xcpu,ram=4", 40'960)))
        EXPECT_NE(fix.kind, FixKind::kDevices);
}

// Whatever is too small, on equal and unequal devices.
TEST(Remedies, fitWhenFollowed) {
    RP_REQUIRE_FIXTURES();
    const SearchOptions asAsked; // by whoever follows them
    std::mt19937_64 random(15);
    const auto any = [&](const auto& values) { return values[random() % values.size()]; };
    const int kNumQuestions = numQuestions();
    int numAsked = 0, numFollowed = 0, numTogether = 0;
    std::vector<double> seconds; // of the processor, that each answer took
    for (int i = 0; numAsked < kNumQuestions && i < 10 * kNumQuestions; ++i) {
        ModelRequest tight = question(any(std::array{"Qwen3-0.6B", "Qwen3-1.7B", "Qwen3-8B", "Llama-3.1-8B",
                                                     "Qwen3-32B", "gpt-oss-20b", "Qwen3-235B-A22B"}),
                                      any(std::array{"4090", "2x4090", "4x3090", "4090+3090", "2x4090+3090,ram=32",
                                                     "4090,ram=24", "4x4090+4x3090,ram=800", "8x4090,ram=800"}),
                                      any(std::array{2048, 6000, 20'000, 50'000, 131'072}));
        tight.training.trainsBase = random() % 6 == 0;
        tight.training.lora.rank = any(std::array{8, 64, 512});
        tight.training.sequences = any(std::array{1, 2, 4});
        for (DeviceSpec& device : tight.rig.devices)
            device.memoryBytes = device.memoryBytes * any(std::array{1, 2, 4}) / 4;
        if (random() % 3 == 0) tight.rig.host.memoryBytes /= 4;
        if (random() % 5 == 0) tight.training.operandType = DType::kF32;
        if (random() % 5 == 0) tight.rig.host.diskBytes = any(std::array{1, 8, 64}) * kGiB;
        if (isPlanned(tight, asAsked)) continue;
        ++numAsked;
        SCOPED_TRACE(::testing::Message()
                     << "case " << i << ": " << tight.model.layers.size() << " layers, " << tight.rig.numDevices()
                     << " devices of " << tight.rig.devices.front().memoryBytes / kGiB << " GiB, host of "
                     << tight.rig.host.memoryBytes / kGiB << " GiB, " << tight.training.sequences << " x "
                     << tight.training.maxLength << ", rank " << tight.training.lora.rank);
        const std::clock_t start = std::clock();
        std::vector<Fix> fixes = smallestFixes(tight, asAsked);
        std::vector<Fix> together;
        if (std::ranges::none_of(fixes, keepsResults, &Fix::kind)) {
            together = smallestCombination(tight, Among::kSettings, asAsked);
            if (together.empty() && fixes.empty()) together = smallestCombination(tight, Among::kEverything, asAsked);
        }
        seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        EXPECT_FALSE(fixes.empty() && together.empty()) << "nothing is advised";
        for (const Fix& fix : fixes) {
            ModelRequest changed = tight;
            follow(fix, changed);
            EXPECT_TRUE(isPlanned(changed, asAsked)) << fix.change();
            ++numFollowed;
        }
        if (together.empty()) continue;
        ModelRequest changed = tight;
        for (const Fix& fix : together)
            follow(fix, changed);
        EXPECT_TRUE(isPlanned(changed, asAsked)) << together.front().change() << " and others";
        ++numTogether;
    }
    EXPECT_EQ(numAsked, kNumQuestions);
    EXPECT_GT(numFollowed, kNumQuestions);
    EXPECT_GT(numTogether, 0);
    std::ranges::sort(seconds);
    std::printf("%d questions, %d remedies and %d combinations followed; an answer took %.2f s of the processor in the "
                "median, %.2f at "
                "most\n",
                numAsked, numFollowed, numTogether, seconds[seconds.size() / 2], seconds.back());
}

// "batch.tokens_per_step is 30000, but an example has 40960 tokens", said of a step of 90,000 that did not fit.
TEST(Remedies, leaveAStepAnExample) {
    RP_REQUIRE_FIXTURES();
    ModelRequest tight = question("Qwen3-32B", "1x3090,ram=64", 40'960);
    tight.tokensPerStep = 90'000;
    tight.sequencesPerStep = tight.rounds = 3;
    const std::vector<int64_t> steps = changeOf(FixKind::kStepTokens).values(tight);
    ASSERT_FALSE(steps.empty());
    EXPECT_GE(steps.back(), 40'960);
}

} // namespace
} // namespace roundpipe::plan
