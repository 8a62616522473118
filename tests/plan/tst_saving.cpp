// SPDX-License-Identifier: GPL-3.0-or-later
// What of each layer is saved where memory does not hold everything.
#include "plan/cost/memory_table.h"
#include "plan/search/choose_plan.h"
#include "plan/search/saving.h"
#include "small_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace roundpipe::plan {
namespace {

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
    EXPECT_GT(std::ranges::count_if(choice.plan.saving, [](Saving one) { return one != Saving::kAll; }), 0);
    EXPECT_NE(choice.plan.describe().find("saved"), std::string::npos) << choice.plan.describe();
}

TEST(Saving, ofAPlanIsCheckedForEveryLayer) {
    Plan plan = planOf({{0, 4}}, {4, 7}, {{1, 4}});
    plan.saving.assign(6, Saving::kInput);
    EXPECT_THROW(validate(plan, 1), Error);
    plan.saving = leastSaving(fiveBlocks());
    EXPECT_NO_THROW(validate(plan, 1));
    EXPECT_EQ(std::ranges::count(plan.saving, Saving::kInput), 5) << "embedding and head save nothing anyway";
}

} // namespace
} // namespace roundpipe::plan
