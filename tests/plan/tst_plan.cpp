// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "plan/plan.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>

namespace roundpipe::plan {
namespace {

using testing::expectError;

// Of an embedding that is not trained, six blocks and a head, on two devices.
Plan soundPlan() {
    Plan plan;
    plan.numLayers = 8;
    plan.forward = {{0, 3}, {3, 5}};
    plan.fused = {5, 8};
    plan.backward = {{3, 5}, {1, 3}};
    plan.deviceTable = {DeviceId(0), DeviceId(1)};
    return plan;
}

TEST(Plan, deliversItsStagesInDispatchOrderOnDevicesInTurn) {
    const Plan plan = soundPlan();
    validate(plan, 1);
    const std::vector<Stage> stages = plan.stages();
    ASSERT_EQ(stages.size(), 5U);
    EXPECT_EQ(stages[2].kind, StageKind::kFused);
    EXPECT_EQ(stages[3].layers, (LayerRange{3, 5}));
    for (std::size_t s = 0; s < stages.size(); ++s)
        EXPECT_EQ(stages[s].id, StageId(static_cast<int32_t>(s)));
    EXPECT_EQ(plan.deviceOf(3), DeviceId(1));
    EXPECT_EQ(plan.deviceOf(5, 0), DeviceId(1)) << "the table goes on from step to step";
    Plan restarting = plan;
    restarting.tableRestarts = true;
    EXPECT_EQ(restarting.deviceOf(5, 0), DeviceId(0));
}

TEST(Plan, mayLeaveOutBackwardBelowTheFirstTrainedLayer) {
    Plan plan = soundPlan();
    plan.backward = {{3, 5}};
    EXPECT_NO_THROW(validate(plan, 3));
    EXPECT_THROW(validate(plan, 2), Error);
    plan.backward = {{3, 5}, {0, 3}};
    EXPECT_NO_THROW(validate(plan, 3)) << "a stage that has nothing to do is left out by the program";
}

TEST(Plan, refusesGapsAndOverlaps) {
    const auto refused = [](auto change) {
        Plan plan = soundPlan();
        change(plan);
        EXPECT_THROW(validate(plan, 1), Error) << plan.describe();
    };
    refused([](Plan& plan) { plan.forward.back().end -= 1; });
    refused([](Plan& plan) { plan.forward.front().end += 1; });
    refused([](Plan& plan) { plan.fused.end -= 1; });
    refused([](Plan& plan) { plan.backward.pop_back(); });
    refused([](Plan& plan) { plan.backward.front().end += 1; });
    refused([](Plan& plan) { plan.deviceTable.clear(); });
}

TEST(Plan, saysNothingOfStagesThatItHasNoneOf) {
    EXPECT_EQ(soundPlan().describe(), "2 forward stages, 1 fused stage of 3 layers, 2 backward stages on 2 devices");
    Plan whole = soundPlan();
    whole.forward.clear();
    whole.fused = {0, 8};
    whole.backward.clear();
    EXPECT_EQ(whole.describe(), "1 fused stage of 8 layers on 2 devices");
    whole.replicas = 2;
    EXPECT_EQ(whole.describe(), "2 replicas, each of 1 fused stage of 8 layers");
}

} // namespace
} // namespace roundpipe::plan
