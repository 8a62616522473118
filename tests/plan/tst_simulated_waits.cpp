// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated run says why its devices wait, as a real one does.
#include "plan/simulate/dispatch_simulation.h"
#include "small_rig.h"

#include <gtest/gtest.h>

#include <map>

namespace roundpipe::plan {
namespace {

using testing::costsOf;
using testing::equalRig;
using trace::IdleReason;
using trace::Kind;
using trace::Record;

const std::vector<LayerTimes> kThreeLayers{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}};

std::vector<Record> waitsOf(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                            int32_t numSteps) {
    DispatchOptions options;
    options.numSteps = numSteps;
    options.firstMeasured = 0;
    options.keepsRecords = true;
    std::vector<Record> waits;
    for (const Record& record : simulateDispatch(plan, costs, rig, shape, options).records)
        if (record.kind == Kind::kWait) waits.push_back(record);
    return waits;
}

Plan planWith(std::vector<LayerRange> forward, LayerRange fused, int32_t numDevices) {
    Plan plan;
    plan.numLayers = fused.end;
    plan.forward = std::move(forward);
    plan.fused = fused;
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.push_back(DeviceId(d));
    return plan;
}

double seconds(const Record& wait) {
    return 1e-9 * static_cast<double>(wait.endNs - wait.startNs);
}

TEST(SimulatedWaits, eachLayersWeights) {
    Costs costs = costsOf(kThreeLayers, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.baseUp = 20; // two seconds
    const auto waits = waitsOf(planWith({}, {0, 3}, 1), costs, equalRig(1, 10), {1, 1, false}, 1);
    ASSERT_EQ(waits.size(), 2U) << "layers 1 and 2 land a second after the layer below has been computed";
    for (int32_t i = 0; i < 2; ++i) {
        const Record& wait = waits[static_cast<std::size_t>(i)];
        EXPECT_EQ(wait.reason, IdleReason::kWeights);
        EXPECT_EQ(wait.layer, LayerId(i + 1));
        EXPECT_EQ(wait.blockingSlot, 0);
        EXPECT_NEAR(seconds(wait), 1, 1e-6);
    }
}

TEST(SimulatedWaits, thePacketOfTheSlotBefore) {
    Costs costs = costsOf(kThreeLayers, 2);
    costs.firstTrainable = 1;
    const auto waits = waitsOf(planWith({{0, 1}}, {1, 3}, 2), costs, equalRig(2), {1, 1, false}, 1);
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(waits[0].reason, IdleReason::kPacket);
    EXPECT_EQ(waits[0].blockingSlot, 0);
    EXPECT_EQ(waits[0].slot, 1);
    EXPECT_NEAR(seconds(waits[0]), 1, 1e-6);
}

TEST(SimulatedWaits, aPeersPacketToo) {
    Costs costs = costsOf(kThreeLayers, 2);
    costs.packetBytes = 100;
    costs.firstTrainable = 2;
    Rig rig = equalRig(2, 100);
    rig.peers = {{0, 1, 1000, 0}, {1, 0, 1000, 0}};
    DispatchOptions options;
    options.numSteps = 1;
    options.firstMeasured = 0;
    options.keepsRecords = true;
    options.usesPeers = true;
    const Plan plan = planWith({{0, 1}, {1, 2}}, {2, 3}, 2);
    int numWaits = 0;
    for (const Record& record : simulateDispatch(plan, costs, rig, {1, 1, false}, options).records) {
        if (record.kind != Kind::kWait) continue;
        ++numWaits;
        EXPECT_EQ(record.reason, IdleReason::kPacket) << toString(record.reason);
        EXPECT_EQ(record.blockingSlot, record.slot - 1);
    }
    EXPECT_EQ(numWaits, 2);
}

TEST(SimulatedWaits, theUpdateUnlessItIsOneStepStale) {
    Costs costs = costsOf(kThreeLayers, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.adapterUp = 1;
    costs.updateSeconds = {5, 0, 0};
    const Plan plan = planWith({}, {0, 3}, 1);
    std::map<int32_t, double> waited; // by step
    for (const Record& wait : waitsOf(plan, costs, equalRig(1, 1e6), {2, 1, false}, 3)) {
        EXPECT_EQ(wait.reason, IdleReason::kUpdate) << toString(wait.reason);
        EXPECT_EQ(wait.blockingSlot, 0) << "whose gradients came last";
        waited[wait.step] += seconds(wait);
    }
    EXPECT_EQ(waited.size(), 2U);
    EXPECT_NEAR(waited[1], 5, 1e-3);
    EXPECT_NEAR(waited[2], 5, 1e-3);
    EXPECT_TRUE(waitsOf(plan, costs, equalRig(1, 1e6), {2, 1, true}, 3).empty());
}

} // namespace
} // namespace roundpipe::plan
