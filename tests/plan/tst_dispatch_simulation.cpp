// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "geometry/pieces.h"
#include "plan/cost/memory_table.h"
#include "plan/search/choose_plan.h"
#include "plan/simulate/dispatch_simulation.h"
#include "plan/simulate/step_estimator.h"
#include "plan/simulate/stream_simulation.h"
#include "small_rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace roundpipe::plan {
namespace {

using testing::costsOf;
using testing::equalRig;
using trace::Kind;
using trace::LaneRole;

StreamTask copyTask(int32_t device, LaneRole role, int64_t bytes) {
    StreamTask task;
    task.device = DeviceId(device);
    task.role = role;
    task.bytes = bytes;
    return task;
}

StreamTask computeTask(int32_t device, double seconds) {
    StreamTask task;
    task.device = DeviceId(device);
    task.seconds = seconds;
    return task;
}

double endOfCopies(const Rig& rig, const std::vector<StreamTask>& copies, std::size_t which, bool activationsFirst) {
    StreamSimulation simulation(rig, activationsFirst);
    for (const StreamTask& copy : copies)
        simulation.add(copy, {});
    simulation.run();
    return simulation.endOf(static_cast<int32_t>(which));
}

TEST(StreamSimulation, runsAStreamInOrderAndStreamsSideBySide) {
    const Rig rig = equalRig(1, 10);
    StreamSimulation simulation(rig, false);
    const int32_t first = simulation.add(computeTask(0, 2), {});
    const int32_t copy = simulation.add(copyTask(0, LaneRole::kWeightsUp, 50), {});
    const int32_t second = simulation.add(computeTask(0, 3), std::array{copy});
    const int32_t third = simulation.add(computeTask(0, 1), {});
    simulation.run();
    EXPECT_DOUBLE_EQ(simulation.endOf(first), 2);
    EXPECT_DOUBLE_EQ(simulation.endOf(copy), 5);
    EXPECT_DOUBLE_EQ(simulation.startOf(second), 5);
    EXPECT_DOUBLE_EQ(simulation.startOf(third), 8);
}

TEST(StreamSimulation, addsLatencyToEveryCopy) {
    const Rig rig = equalRig(1, 10, 0.5);
    EXPECT_DOUBLE_EQ(endOfCopies(rig, {copyTask(0, LaneRole::kWeightsUp, 10)}, 0, false), 1.5);
}

TEST(StreamSimulation, sharesALinkByTheFluidRule) {
    Rig rig = equalRig(1, 10);
    const std::vector copies{copyTask(0, LaneRole::kWeightsUp, 100), copyTask(0, LaneRole::kActivationsUp, 20)};
    // Both at 5 until the small one is done at 4, then 10: 80 bytes are left.
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 1, false), 4);
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 0, false), 12);
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 1, true), 2) << "activations have the right of way";
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 0, true), 12);
}

TEST(StreamSimulation, knowsDuplexAndHalfDuplexLinks) {
    Rig rig = equalRig(1, 10);
    const std::vector copies{copyTask(0, LaneRole::kWeightsUp, 100), copyTask(0, LaneRole::kGradientsDown, 100)};
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 0, false), 10);
    rig.links[0].duplex = false;
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 0, false), 20);
}

TEST(StreamSimulation, sharesRootComplexesAndTheHostsMemoryMaxMinFairly) {
    Rig rig = equalRig(3, 10);
    rig.links[2].upBytesPerSecond = 2; // its share is left to the others
    const std::vector copies{copyTask(0, LaneRole::kWeightsUp, 60), copyTask(1, LaneRole::kWeightsUp, 60),
                             copyTask(2, LaneRole::kWeightsUp, 60)};
    rig.roots = {{"root", 14, 10, true}};
    for (Link& link : rig.links)
        link.root = 0;
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 0, false), 10); // 6 each, and 2
    const std::vector downs{copyTask(0, LaneRole::kGradientsDown, 60), copyTask(1, LaneRole::kGradientsDown, 60)};
    EXPECT_DOUBLE_EQ(endOfCopies(rig, downs, 0, false), 12); // 5 each
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 2, false), 30);
    for (Link& link : rig.links)
        link.root = -1;
    rig.host.memoryBytesPerSecond = 14;
    EXPECT_DOUBLE_EQ(endOfCopies(rig, copies, 0, false), 10);
}

// Two blocks of 1 + 1 + 2 s and a head of 3 s, on one device; nothing but time.
const std::vector<LayerTimes> kTwoBlocks{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}};

Plan planOf(std::vector<LayerRange> forward, LayerRange fused, std::vector<LayerRange> backward, int32_t numDevices) {
    Plan plan;
    plan.numLayers = fused.end;
    plan.forward = std::move(forward);
    plan.fused = fused;
    plan.backward = std::move(backward);
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.push_back(DeviceId(d));
    return plan;
}

DispatchOptions oneStep() {
    DispatchOptions options;
    options.numSteps = 1;
    options.firstMeasured = 0;
    options.keepsRecords = true;
    options.countsMemory = true;
    return options;
}

TEST(DispatchSimulation, countsTheWorkOfAStepOnOneDevice) {
    const Simulated step = simulateDispatch(planOf({{0, 2}}, {2, 3}, {{0, 2}}, 1), costsOf(kTwoBlocks, 1), equalRig(1),
                                            {3, 1, false}, oneStep());
    // Forward 2, fused 1 + 2, backward 2 + 4 of each of 3 microbatches; copies take next to no time.
    EXPECT_NEAR(step.stepSeconds, 33, 1e-6);
    EXPECT_NEAR(step.bubbleShare, 0, 1e-6);
}

// Four pieces of the head's gradients go down in two shares while the next slot computes its two microbatches: the
// second behind the first one's packet.
TEST(DispatchSimulation, sendsGradientsInSharesBehindThePacketsOfTheNextSlot) {
    Costs costs = costsOf(kTwoBlocks, 1);
    costs.layers[2].gradientsDown = 4 * geometry::kPieceBytes;
    const auto records = simulateDispatch(planOf({{0, 2}}, {2, 3}, {{1, 2}, {0, 1}}, 1), costs, equalRig(1, 1e9),
                                          {2, 1, false}, oneStep())
                             .records;
    std::vector<trace::Record> shares, packets;
    for (const trace::Record& r : records) {
        if (r.kind == Kind::kDownloadGradient && r.slot == 1) shares.push_back(r);
        if (r.kind == Kind::kDownloadActivation && r.slot == 2) packets.push_back(r);
    }
    ASSERT_EQ(shares.size(), 2u);
    ASSERT_EQ(packets.size(), 2u);
    for (const trace::Record& share : shares)
        EXPECT_EQ(share.bytes, 2 * geometry::kPieceBytes);
    EXPECT_LT(shares[0].startNs, packets[0].startNs);
    EXPECT_GE(shares[1].startNs, packets[0].endNs);
}

TEST(DispatchSimulation, leavesOutTheOutputThatNobodyReadsOncePerBackwardStageAndMicrobatch) {
    std::vector<LayerTimes> layers(5, {1, 1, 2, 0.25});
    const Costs costs = costsOf(layers, 1);
    for (LayerTimes& times : layers)
        times.output = 0;
    const Costs withOutput = costsOf(layers, 1);
    const Plan plan = planOf({{0, 4}}, {4, 5}, {{2, 4}, {0, 2}}, 1);
    const StepShape shape{3, 1, false};
    const double step = simulateDispatch(plan, costs, equalRig(1), shape, oneStep()).stepSeconds;
    EXPECT_NEAR(step, simulateDispatch(plan, withOutput, equalRig(1), shape, oneStep()).stepSeconds - 2 * 3 * 0.25,
                1e-6);
    EXPECT_NEAR(StepEstimator(costs, equalRig(1)).seconds(plan, shape), step, 1e-6);
    EXPECT_DOUBLE_EQ(stageSeconds(costs, StageKind::kBackward, {2, 4}, DeviceId(0)), 2 * 3 - 0.25);
    EXPECT_DOUBLE_EQ(stageSeconds(costs, StageKind::kFused, {2, 5}, DeviceId(0)), 3 * 3);
}

// What keeps something for backward takes longer than a plain forward, in the fused stage too.
TEST(DispatchSimulation, isBusyForTheSecondsOfEveryStage) {
    Costs costs = costsOf({{1, 1.5, 2}, {1, 1.25, 2}, {1, 3, 4}}, 1); // the first one is not trained
    costs.firstTrainable = 1;
    const Plan plan = planOf({{0, 2}}, {2, 3}, {{0, 2}}, 1);
    double seconds = 0;
    for (const Stage& stage : plan.stages())
        seconds += stageSeconds(costs, stage.kind, stage.layers, DeviceId(0));
    EXPECT_DOUBLE_EQ(seconds, 12.25);
    EXPECT_NEAR(simulateDispatch(plan, costs, equalRig(1), {3, 1, false}, oneStep()).busySeconds[0], 3 * seconds, 1e-9);
}

// By hand: forward 1, a forward that saves 1.5, backward 2; 0.25 of it the output alone, 0.5 gate and up.
TEST(DispatchSimulation, computesAgainWhatIsNotSaved) {
    using geometry::Saving;
    const LayerTimes block{1, 1.5, 2, 0.25, 0.5}, table{0.1, 0.1, 0.2};
    Costs costs = costsOf({table, block, block, block, block, table}, 1);
    costs.firstTrainable = 1;
    Plan plan = planOf({{0, 3}}, {3, 6}, {{1, 3}}, 1);
    const StepShape shape{3, 1, false};
    const auto seconds = [&](Saving second, Saving third) { // of block 2, the last of its stage, and of block 3
        plan.saving = {Saving::kAll, Saving::kAll, second, third, Saving::kAll, Saving::kAll};
        double sum = 0;
        for (const Stage& stage : plan.stages())
            sum += stageSeconds(costs, stage.kind, stage.layers, DeviceId(0), plan.saving);
        EXPECT_NEAR(simulateDispatch(plan, costs, equalRig(1), shape, oneStep()).busySeconds[0], 3 * sum, 1e-9);
        EXPECT_NEAR(StepEstimator(costs, equalRig(1)).seconds(plan, shape),
                    simulateDispatch(plan, costs, equalRig(1), shape, oneStep()).stepSeconds, 1e-6);
        return sum;
    };
    const double all = seconds(Saving::kAll, Saving::kAll);
    EXPECT_DOUBLE_EQ(all, 0.1 + 2 + (2 * 3.5 - 0.25) + 2 * 3.5 + 0.3);
    EXPECT_DOUBLE_EQ(seconds(Saving::kWithoutGateUp, Saving::kAll), all) << "made once, in backward";
    EXPECT_DOUBLE_EQ(seconds(Saving::kInput, Saving::kAll), all) << "nobody reads its output: computed once";
    EXPECT_DOUBLE_EQ(seconds(Saving::kAll, Saving::kWithoutGateUp), all + 0.5);
    EXPECT_DOUBLE_EQ(seconds(Saving::kAll, Saving::kInput), all - 1.5 + 1 + 1.25);
}

TEST(DispatchSimulation, recomputesBeforeTheGradientIsThere) {
    Rig rig = equalRig(2);
    const Simulated step =
        simulateDispatch(planOf({{0, 1}}, {1, 3}, {{0, 1}}, 2), costsOf(kTwoBlocks, 2), rig, {1, 1, false}, oneStep());
    // Forward 1 on device 0, fused 2 + 4 on device 1, and meanwhile recompute on device 0; then backward 2.
    EXPECT_NEAR(step.stepSeconds, 9, 1e-6);
}

TEST(DispatchSimulation, waitsForWeightsLayerByLayer) {
    Costs costs = costsOf(kTwoBlocks, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.baseUp = 20;
    // One slot of all layers; 2 s to upload each: computing starts at 2, the head's weights are there at 6.
    const Simulated step =
        simulateDispatch(planOf({}, {0, 3}, {}, 1), costs, equalRig(1, 10), {1, 1, false}, oneStep());
    EXPECT_NEAR(step.stepSeconds, 6 + 1 + 6 + 0.3, 1e-6); // and the gradients' way down
    EXPECT_EQ(step.bytesUp[0], 60);
    EXPECT_EQ(step.bytesDown[0], 3);
}

TEST(DispatchSimulation, loadsTheNextSlotsWeightsWhileThisOneComputes) {
    Costs costs = costsOf({{1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}}, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.baseUp = 20;
    const Plan plan = planOf({{0, 1}, {1, 2}, {2, 3}}, {3, 4}, {{2, 3}, {1, 2}, {0, 1}}, 1);
    const Simulated cold = simulateDispatch(plan, costs, equalRig(1, 10), {4, 1, false}, oneStep());
    EXPECT_NEAR(cold.stepSeconds, 60 + 2, 2); // the first layer's, and a few packets
    DispatchOptions warm;
    warm.numSteps = 4;
    const Simulated steady = simulateDispatch(plan, costs, equalRig(1, 10), {4, 1, false}, warm);
    EXPECT_NEAR(steady.stepSeconds, 60, 2) << "the first slot of the next step is loaded ahead";
    // There is room for the head and two of the three others: each turn of the order misses one.
    EXPECT_EQ(steady.bytesUp[0], 2 * 20 + 8 * 4) << "two layers, and eight packets a microbatch";
}

TEST(DispatchSimulation, keepsResidentBases) {
    Costs costs = costsOf(kTwoBlocks, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.baseUp = layer.weights = 20;
    Plan plan = planOf({{0, 2}}, {2, 3}, {{0, 2}}, 1);
    plan.resident = {{true, true, true}};
    const Simulated resident = simulateDispatch(plan, costs, equalRig(1, 1e6), {4, 1, false}, oneStep());
    EXPECT_NEAR(resident.stepSeconds, 44, 1e-3);
    EXPECT_EQ(resident.bytesUp[0], 3 * 20 + 4 * 2) << "once, and packets";
    DispatchOptions warm;
    warm.numSteps = 3;
    EXPECT_EQ(simulateDispatch(plan, costs, equalRig(1, 1e6), {4, 1, false}, warm).bytesUp[0], 4 * 2);
}

TEST(DispatchSimulation, waitsForTheUpdateUnlessItIsOneStepStale) {
    Costs costs = costsOf(kTwoBlocks, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.adapterUp = 1;
    costs.updateSeconds = {5, 0, 0};
    const Plan plan = planOf({{0, 2}}, {2, 3}, {{0, 2}}, 1);
    DispatchOptions options;
    options.numSteps = 5;
    options.firstMeasured = 2;
    EXPECT_NEAR(simulateDispatch(plan, costs, equalRig(1), {2, 1, false}, options).stepSeconds, 22 + 5, 1e-6);
    EXPECT_NEAR(simulateDispatch(plan, costs, equalRig(1), {2, 1, true}, options).stepSeconds, 22, 1e-6);
}

// Three stages on four GPUs, as 8B was planned for four H100s: said were 1.285 s a step, and it took 1.41.
TEST(DispatchSimulation, aStaleStepTakesWhatItTakesInTheLongRun) {
    constexpr int32_t kDevices = 4, kLayers = 38;
    Costs costs = costsOf(std::vector<LayerTimes>(kLayers, {1, 1, 1.5}), kDevices);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.adapterUp = 1;
    const Plan plan = planOf({{0, 19}}, {19, kLayers}, {{0, 19}}, kDevices);
    const StepShape shape{8, 1, true};
    const auto secondsOf = [&](int32_t numMeasured) {
        DispatchOptions options;
        options.firstMeasured = 2;
        options.numSteps = options.firstMeasured + numMeasured;
        return simulateDispatch(plan, costs, equalRig(kDevices), shape, options).stepSeconds;
    };
    const double inTheLongRun = secondsOf(120);
    EXPECT_GT(std::abs(secondsOf(kDevices) / inTheLongRun - 1), 0.05) << "a rotation alone does not tell";
    EXPECT_NEAR(evaluatePlan(plan, equalRig(kDevices), costs, shape).step.stepSeconds, inTheLongRun,
                0.02 * inTheLongRun);
    EXPECT_NEAR(StepEstimator(costs, equalRig(kDevices)).seconds(plan, shape), inTheLongRun, 0.02 * inTheLongRun);
}

TEST(DispatchSimulation, beginsAStepWhileDeeperLayersAreUpdated) {
    Costs costs = costsOf(kTwoBlocks, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.adapterUp = 1;
    const Plan plan = planOf({{0, 2}}, {2, 3}, {{0, 2}}, 1);
    DispatchOptions options;
    options.numSteps = 5;
    options.firstMeasured = 2;
    const auto secondsWith = [&](const std::vector<double>& updates) {
        costs.updateSeconds = updates;
        const double seconds = simulateDispatch(plan, costs, equalRig(1), {2, 1, false}, options).stepSeconds;
        EXPECT_NEAR(StepEstimator(costs, equalRig(1)).seconds(plan, {2, 1, false}), seconds, 1e-6);
        return seconds;
    };
    const double forward = 2 * (kTwoBlocks[0].forward + kTwoBlocks[1].forward); // of two microbatches
    EXPECT_NEAR(secondsWith({0, 0, 5}), 22 + 5 - forward, 1e-6) << "hidden behind the forward of the blocks";
    EXPECT_NEAR(secondsWith({0, 0, forward / 2}), 22, 1e-6);
    EXPECT_NEAR(secondsWith({2, 0, 0}), 22 + 2, 1e-6);
}

// The last gradients to arrive are those of the first layers: what the host does with them before the update is waited
// for. A table of two layers gets the sum of both.
TEST(DispatchSimulation, waitsForTheNormAndForSumsOfASharedTable) {
    Costs costs = costsOf(kTwoBlocks, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.adapterUp = 1;
    costs.addSeconds = {3, 0.5, 0.25};
    const Plan plan = planOf({{0, 2}}, {2, 3}, {{1, 2}, {0, 1}}, 1);
    const auto seconds = [&](const StepShape& shape) {
        DispatchOptions options;
        options.numSteps = 5;
        options.firstMeasured = 2;
        return simulateDispatch(plan, costs, equalRig(1), shape, options).stepSeconds;
    };
    const double plain = seconds({2, 1, false}), inRounds = seconds({1, 2, false});
    costs.normSeconds = {1, 0.5, 0.25};
    EXPECT_NEAR(seconds({2, 1, false}), plain + 1, 1e-6);
    EXPECT_NEAR(seconds({1, 2, false}), inRounds + 1, 1e-6) << "once a step";
    costs.layers.front().sharesTable = costs.layers.back().sharesTable = true;
    EXPECT_NEAR(seconds({2, 1, false}), plain + 3 + 1, 1e-6) << "as in several rounds";
    EXPECT_NEAR(seconds({1, 2, false}), inRounds + 1, 1e-6) << "which are added up anyway";
}

// One step stale the host has a whole step for it: where it takes longer, steps do.
TEST(DispatchSimulation, goesAtTheHostsPaceWhereItsWorkIsLonger) {
    Costs costs = costsOf(kTwoBlocks, 1);
    for (geometry::LayerSizes& layer : costs.layers)
        layer.adapterUp = 1;
    const Plan plan = planOf({{0, 2}}, {2, 3}, {{0, 2}}, 1);
    DispatchOptions options;
    options.numSteps = 9;
    options.firstMeasured = 5;
    const auto seconds = [&] { return simulateDispatch(plan, costs, equalRig(1), {2, 1, true}, options).stepSeconds; };
    costs.updateSeconds = {4, 4, 4};
    costs.normSeconds = {2, 2, 2};
    EXPECT_NEAR(seconds(), 22, 1e-6);
    costs.normSeconds = {6, 6, 6};
    EXPECT_NEAR(seconds(), 12 + 18, 1e-6);
    costs.besideSteps = 1.5;
    EXPECT_NEAR(seconds(), 1.5 * 30, 1e-6);
    const EvaluatedPlan few =
        evaluatePlan(plan, equalRig(1), costs, {2, 1, true}); // by a few steps, which are not late
    EXPECT_NEAR(few.step.stepSeconds, 1.5 * 30, 1e-6);
    EXPECT_NEAR(few.step.bubbleShare, 1 - 22 / 45., 1e-6);
}

TEST(DispatchSimulation, sendsPacketsStraightToAPeer) {
    Costs costs = costsOf(kTwoBlocks, 2);
    costs.packetBytes = 100;
    Rig rig = equalRig(2, 100); // a second down, a second up
    rig.peers = {{0, 1, 1000, 0}, {1, 0, 1000, 0}};
    DispatchOptions options = oneStep();
    const Plan plan = planOf({{0, 1}, {1, 2}}, {2, 3}, {{0, 2}}, 2);
    const double byHost = simulateDispatch(plan, costs, rig, {1, 1, false}, options).stepSeconds;
    options.usesPeers = true;
    const double byPeer = simulateDispatch(plan, costs, rig, {1, 1, false}, options).stepSeconds;
    EXPECT_NEAR(byHost - byPeer, 3 * (2 - 0.1), 0.02) << "forward to forward, to fused, and the gradient back";
}

TEST(DispatchSimulation, sendsABoundaryInsideAStageWhenItsLayerEnds) {
    Costs costs = costsOf({{1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}}, 1);
    costs.packetBytes = 100;
    const auto records = simulateDispatch(planOf({{0, 3}}, {3, 4}, {{1, 3}, {0, 1}}, 1), costs, equalRig(1, 1e6),
                                          {2, 1, false}, oneStep())
                             .records;
    for (const int32_t m : {0, 1}) {
        int64_t forwardBegin = 0, forwardEnd = 0, sent = 0;
        for (const trace::Record& record : records) {
            if (record.microbatch.value != m) continue;
            if (record.kind == Kind::kForward) {
                forwardBegin = record.startNs;
                forwardEnd = record.endNs;
            }
            if (record.kind == Kind::kDownloadActivation && !record.isGradient && record.layer.value == 1)
                sent = record.startNs;
        }
        EXPECT_NEAR(1e-9 * static_cast<double>(sent - forwardBegin), 1, 1e-3) << m;
        EXPECT_NEAR(1e-9 * static_cast<double>(forwardEnd - forwardBegin), 3, 1e-3) << m << ", one record";
    }
}

TEST(DispatchSimulation, tracesOnTheEnginesLanesWithoutOverlap) {
    const auto records = simulateDispatch(planOf({{0, 2}}, {2, 3}, {{0, 2}}, 2), costsOf(kTwoBlocks, 2), equalRig(2),
                                          {3, 2, false}, oneStep())
                             .records;
    std::map<int32_t, int64_t> laneEnd;
    std::map<Kind, int> count;
    for (const trace::Record& r : records) {
        EXPECT_GE(r.startNs, laneEnd[r.lane.value]);
        laneEnd[r.lane.value] = r.endNs;
        ++count[r.kind];
    }
    for (const Kind kind : {Kind::kForward, Kind::kRecompute, Kind::kBackward, Kind::kFused})
        EXPECT_EQ(count[kind], 6) << trace::toString(kind);
}

TEST(DispatchSimulation, evaluatesForwardOnlyOnEveryStageOnce) {
    const Plan plan = planOf({{0, 1}, {1, 2}}, {2, 3}, {{0, 2}}, 2);
    const Simulated evaluation = simulateEvaluation(plan, costsOf(kTwoBlocks, 2), equalRig(2), 3);
    // Slots of 3 s each: on device 0, a second later on device 1, then on device 0 as soon as it is free.
    EXPECT_NEAR(evaluation.stepSeconds, 6, 1e-6);
    int numEvaluated = 0;
    for (const trace::Record& r : evaluation.records) {
        EXPECT_NE(r.lane, trace::laneOf(DeviceId(0), LaneRole::kGradientsDown));
        EXPECT_EQ(r.step, -1);
        numEvaluated += r.kind == Kind::kEvaluate ? 1 : 0;
    }
    EXPECT_EQ(numEvaluated, 9);
}

TEST(DispatchSimulation, refusesWhatContradictsItself) {
    const Plan plan = planOf({{0, 2}}, {2, 3}, {{0, 2}}, 2);
    EXPECT_THROW(simulateDispatch(plan, costsOf(kTwoBlocks, 2), equalRig(1), {1, 1, false}), Error);
    EXPECT_THROW(simulateDispatch(plan, costsOf(kTwoBlocks, 1), equalRig(1), {1, 1, false}), Error);
    EXPECT_THROW(simulateDispatch(plan, costsOf({{1, 1, 1}}, 2), equalRig(2), {1, 1, false}), Error);
    EXPECT_THROW(simulateDispatch(plan, costsOf(kTwoBlocks, 2), equalRig(2), {0, 1, false}), Error);
}

} // namespace
} // namespace roundpipe::plan
