// SPDX-License-Identifier: GPL-3.0-or-later
// What of each layer is saved where memory does not hold everything.
#include "plan/cost/memory_table.h"
#include "plan/search/choose_plan.h"
#include "plan/search/host_saving.h"
#include "plan/search/saving.h"
#include "small_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace roundpipe::plan {
namespace {

using geometry::LayerSaving;
using geometry::Saving;
using testing::costsOf;
using testing::equalRig;

constexpr int64_t kKiB = 1024;

// Embedding, five blocks alike and a head: a forward that saves takes 1.1 s, of it gate and up 0.4, the output 0.2.
Costs fiveBlocks() {
    const LayerTimes block{1, 1.1, 2, 0.2, 0.4}, table{0.1, 0.1, 0.2};
    Costs costs = costsOf({table, block, block, block, block, block, table}, 1);
    costs.firstTrainable = 1;
    costs.layers[0].isBlock = false;
    for (geometry::LayerSizes& layer : costs.layers) {
        layer.saved = layer.isBlock ? 100 * kKiB : 0;
        layer.savedWithoutGateUp = layer.isBlock ? 40 * kKiB : 0;
    }
    return costs;
}

Plan planOf(std::vector<LayerRange> forward, LayerRange fused, std::vector<LayerRange> backward) {
    Plan plan;
    plan.numLayers = 7;
    plan.forward = std::move(forward);
    plan.fused = fused;
    plan.backward = std::move(backward);
    plan.deviceTable = {DeviceId(0)};
    return plan;
}

double secondsOf(const Plan& plan, const Costs& costs) {
    double sum = 0;
    for (const Stage& stage : plan.stages())
        sum += stageSeconds(costs, stage.kind, stage.layers, DeviceId(0), plan.saving);
    return sum;
}

// The least seconds of all 243 choices that fit; infinite: none does.
double bestOfAllChoices(Plan plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    double best = std::numeric_limits<double>::infinity();
    for (int choice = 0; choice < 243; ++choice) {
        plan.saving.assign(7, Saving::kAll);
        for (int rest = choice, block = 1; block <= 5; ++block, rest /= 3)
            plan.saving[static_cast<std::size_t>(block)] = static_cast<Saving>(rest % 3);
        if (deviceMemory(plan, costs, shape, DeviceId(0)).total() <= rig.devices[0].memoryBytes)
            best = std::min(best, secondsOf(plan, costs));
    }
    return best;
}

TEST(Saving, isTheFastestOfAllThatFitWhereBlocksAreAlike) {
    const StepShape shape{2, 1};
    int numTight = 0;
    for (const Plan& cut : {planOf({}, {0, 7}, {}), planOf({{0, 4}}, {4, 7}, {{1, 4}}),
                            planOf({{0, 3}, {3, 6}}, {6, 7}, {{2, 6}, {1, 2}})})
        for (const double gateUp : {0.1, 0.4, 0.7})
            for (int64_t memory = 8 * kKiB; memory <= 560 * kKiB; memory += 8 * kKiB) {
                Costs costs = fiveBlocks();
                for (LayerTimes& times : costs.times[0])
                    times.gateUp = std::min(gateUp, times.recompute - times.output);
                costs.times[0].front().gateUp = costs.times[0].back().gateUp = 0;
                Rig rig = equalRig(1);
                rig.devices[0].memoryBytes = memory;
                Plan plan = cut;
                chooseSaving(plan, rig, costs, shape);
                const double best = bestOfAllChoices(cut, rig, costs, shape);
                const bool fits = deviceMemory(plan, costs, shape, DeviceId(0)).total() <= memory;
                EXPECT_EQ(fits, best < std::numeric_limits<double>::infinity()) << cut.describe() << ", " << memory;
                if (!fits) continue;
                EXPECT_NEAR(secondsOf(plan, costs), best, 1e-9) << plan.describe() << ", " << memory << " bytes";
                numTight += plan.saving.empty() ? 0 : 1;
            }
    EXPECT_GT(numTight, 100);
}

TEST(Saving, isAllWhereMemoryHoldsIt) {
    Plan plan = planOf({{0, 4}}, {4, 7}, {{1, 4}});
    chooseSaving(plan, equalRig(1), fiveBlocks(), {2, 1});
    EXPECT_TRUE(plan.saving.empty());
    EXPECT_EQ(plan.describe().find("saved"), std::string::npos);
}

TEST(Saving, letsLargerStagesFit) {
    const Costs costs = fiveBlocks();
    const StepShape shape{2, 1};
    Rig rig = equalRig(1);
    const Plan whole = planOf({}, {0, 7}, {});
    rig.devices[0].memoryBytes = deviceMemory(whole, costs, shape, DeviceId(0)).total() / 3;
    const EvaluatedPlan choice = choosePlan(rig, costs, {&shape, 1});
    EXPECT_LE(choice.deviceMemory[0].total(), rig.devices[0].memoryBytes);
    EXPECT_GT(std::ranges::count_if(choice.plan.saving, [](LayerSaving one) { return one != Saving::kAll; }), 0);
    EXPECT_NE(choice.plan.describe().find("saved"), std::string::npos) << choice.plan.describe();
}

TEST(Saving, ofAPlanIsCheckedForEveryLayer) {
    Plan plan = planOf({{0, 4}}, {4, 7}, {{1, 4}});
    plan.saving.assign(6, Saving::kInput);
    EXPECT_THROW(validate(plan, 1), Error);
    plan.saving = leastSaving(fiveBlocks());
    EXPECT_NO_THROW(validate(plan, 1));
    EXPECT_EQ(std::ranges::count(plan.saving, LayerSaving(Saving::kInput)), 5)
        << "embedding and head save nothing anyway";
}

// A device that holds the weights of three blocks at a time; they save little.
struct Tight {
    explicit Tight(double bytesPerSecond) : rig(equalRig(1, bytesPerSecond)) {
        rig.devices[0].memoryBytes = 1100 * kKiB;
        for (geometry::LayerSizes& layer : costs.layers) {
            layer.baseUp = layer.weights = layer.isBlock ? 300 * kKiB : kKiB;
            layer.saved /= 5;
            layer.savedWithoutGateUp /= 5;
        }
    }
    EvaluatedPlan choose() const { return choosePlan(rig, costs, {&shape, 1}); }

    Costs costs = fiveBlocks();
    Rig rig;
    StepShape shape{6, 1};
};

int64_t numOnHost(const Plan& plan) {
    return std::ranges::count_if(plan.saving, &LayerSaving::onHost);
}

TEST(Saving, isInHostMemoryWhereThatIsFasterThanComputingAgain) {
    Tight tight(1e14);
    const EvaluatedPlan chosen = tight.choose();
    EXPECT_GT(numOnHost(chosen.plan), 0) << chosen.plan.describe();
    EXPECT_NE(chosen.plan.describe().find("saved in host memory"), std::string::npos) << chosen.plan.describe();
    EXPECT_NO_THROW(validate(chosen.plan, 1));
    EXPECT_TRUE(misfitOf(chosen, tight.rig).empty());

    tight.rig.host.memoryBytes = chosen.hostMemory.total() - kKiB;
    const EvaluatedPlan less = tight.choose();
    EXPECT_LE(less.hostMemory.total(), tight.rig.host.memoryBytes);
    EXPECT_LT(numOnHost(less.plan), numOnHost(chosen.plan)) << less.plan.describe();
    EXPECT_GT(less.step.stepSeconds, chosen.step.stepSeconds);

    // Ten seconds for what a layer saves, which is computed again in one.
    EXPECT_EQ(numOnHost(Tight(2e3).choose().plan), 0);
}

// The shorter a link, the less of a block is sent, at last nothing. No other amount would make the plan's step shorter,
// but by what sending anything must be worth.
TEST(Saving, inHostMemoryIsLessWhereALinkIsShort) {
    int64_t most = std::numeric_limits<int64_t>::max();
    std::vector<LayerSaving> seen;
    for (double bytesPerSecond = 1e7; bytesPerSecond > 1e3; bytesPerSecond /= 1.3) {
        SCOPED_TRACE(bytesPerSecond);
        const Tight tight(bytesPerSecond);
        const EvaluatedPlan chosen = tight.choose();
        int64_t sent = 0; // of a block, at most
        for (int32_t l = 0; l < 7; ++l)
            if (const LayerSaving saving = chosen.plan.savingOf(l); saving.onHost) {
                sent =
                    std::max(sent, geometry::savedOnHost(tight.costs.layers[static_cast<std::size_t>(l)], saving.what));
                if (std::ranges::find(seen, saving) == seen.end()) seen.push_back(saving);
            }
        EXPECT_LE(sent, most) << chosen.plan.describe();
        most = std::min(most, sent);
        for (const Saving what : {Saving::kAll, Saving::kWithoutGateUp, Saving::kInput})
            for (Plan& other : plansSavedOnHost(withoutHostSaving(chosen.plan), what, tight.costs)) {
                chooseSaving(other, tight.rig, tight.costs, tight.shape);
                const EvaluatedPlan evaluated = evaluatePlan(other, tight.rig, tight.costs, tight.shape);
                if (!misfitOf(evaluated, tight.rig).empty()) continue;
                EXPECT_LE(chosen.step.stepSeconds, kHostSavingWorth * evaluated.step.stepSeconds + 1e-9)
                    << chosen.plan.describe() << " beside " << other.describe();
                if (sent > 0) {
                    EXPECT_LE(chosen.step.stepSeconds, evaluated.step.stepSeconds + 1e-9)
                        << chosen.plan.describe() << " beside " << other.describe();
                }
            }
    }
    EXPECT_EQ(most, 0);
    EXPECT_NE(std::ranges::find(seen, LayerSaving(Saving::kAll, true)), seen.end());
    EXPECT_NE(std::ranges::find(seen, LayerSaving(Saving::kWithoutGateUp, true)), seen.end());
}

// A forward stage of three blocks and a backward stage of them, which has the two deepest from the host: a forward that
// saves takes 1.1 s for 1, and of the third block alone the forward is repeated, without its output. Of the others what
// is not there is computed again: gate and up, or a forward without its output, from the input.
TEST(Saving, inHostMemoryTakesTheTimeOfItsCopiesAndOfWhatIsNotThere) {
    Costs costs = fiveBlocks();
    Plan plan = planOf({{0, 4}}, {4, 7}, {{1, 4}});
    struct Expected {
        Saving what;
        double forward, again; // seconds of a block
        int64_t sent;          // bytes of a block and microbatch beside its input
    };
    for (const Expected& of : {Expected{Saving::kAll, 1.1, 0, 100 * kKiB},
                               {Saving::kWithoutGateUp, 1.1, 0.4, 40 * kKiB},
                               {Saving::kInput, 1, 1.1 - 0.2, 0}}) {
        SCOPED_TRACE(spellingOf(of.what));
        plan.saving.assign(7, Saving::kAll);
        plan.saving[2] = plan.saving[3] = {of.what, true};
        const double forward = 0.1 + 1 + 2 * of.forward, fused = 0.1 + 0.2 + 2 * (1.1 + 2);
        const double backward = (1.1 - 0.2) + 3 * 2 + 2 * of.again;
        EXPECT_NEAR(stageSeconds(costs, StageKind::kForward, {0, 4}, DeviceId(0), plan.saving), forward, 1e-9);
        EXPECT_NEAR(stageSeconds(costs, StageKind::kBackward, {1, 4}, DeviceId(0), plan.saving), backward, 1e-9);
        const auto moved = evaluatePlan(plan, equalRig(1), costs, {2, 1}).step;
        EXPECT_NEAR(moved.stepSeconds, 2 * (forward + fused + backward), 1e-6);

        // Four copies each way, and the inputs of the blocks.
        plan.saving.clear();
        const auto without = evaluatePlan(plan, equalRig(1), costs, {2, 1}).step;
        EXPECT_EQ(moved.bytesDown[0] - without.bytesDown[0], 4 * (of.sent + costs.packetBytes));
        EXPECT_EQ(moved.bytesUp[0] - without.bytesUp[0], 4 * (of.sent + costs.packetBytes));
    }
}

// The input alone of a backward stage's first block is there anyway.
TEST(Saving, ofAStagesFirstInputInHostMemoryIsNothing) {
    const Costs costs = fiveBlocks();
    Plan plan = planOf({{0, 3}, {3, 4}}, {4, 7}, {{3, 4}, {1, 3}});
    plan.saving.assign(7, Saving::kAll);
    plan.saving[3] = Saving::kInput;
    const auto alone = evaluatePlan(plan, equalRig(1), costs, {2, 1}).step;
    plan.saving[3] = {Saving::kInput, true};
    const auto onHost = evaluatePlan(plan, equalRig(1), costs, {2, 1}).step;
    EXPECT_EQ(onHost.bytesDown, alone.bytesDown);
    EXPECT_EQ(onHost.bytesUp, alone.bytesUp);
    EXPECT_NEAR(onHost.stepSeconds, alone.stepSeconds, 1e-9);
}

TEST(Saving, inHostMemoryIsRefusedWhereNoForwardStageCouldSendIt) {
    Plan plan = planOf({{0, 4}}, {4, 7}, {{1, 4}});
    for (const Saving what : {Saving::kAll, Saving::kWithoutGateUp, Saving::kInput}) {
        const auto refused = [&](int32_t layer, int32_t firstTrainable) {
            plan.saving.assign(7, Saving::kAll);
            plan.saving[static_cast<std::size_t>(layer)] = {what, true};
            try {
                validate(plan, firstTrainable);
            } catch (const Error& error) {
                return error.message().find("ayer " + std::to_string(layer)) != std::string::npos;
            }
            return false;
        };
        EXPECT_FALSE(refused(3, 1)) << "the deepest block of a backward stage";
        EXPECT_TRUE(refused(2, 1)) << "the next one is computed again, from this one's output";
        EXPECT_TRUE(refused(5, 1)) << "fused";
        EXPECT_TRUE(refused(6, 1)) << "the head";
        EXPECT_TRUE(refused(3, 4)) << "not trained";
    }
}

} // namespace
} // namespace roundpipe::plan
