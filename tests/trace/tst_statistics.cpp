// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/link_use.h"
#include "trace/analysis/statistics.h"
#include "trace/files/statistics_csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace roundpipe::trace {
namespace {

Record slice(LaneId lane, Kind kind, int64_t startNs, int64_t endNs, int64_t bytes = 0, int32_t step = 0) {
    Record record;
    record.lane = lane;
    record.kind = kind;
    record.startNs = startNs;
    record.endNs = endNs;
    record.bytes = bytes;
    record.step = step;
    return record;
}

Record waitFor(IdleReason reason, int32_t blockingSlot, LaneId lane, int64_t startNs, int64_t endNs) {
    Record wait = slice(lane, Kind::kWait, startNs, endNs);
    wait.reason = reason;
    wait.blockingSlot = blockingSlot;
    return wait;
}

Record memory(int64_t timeNs, int64_t bytes) {
    return slice(laneOf(DeviceId(0), LaneRole::kMemory), Kind::kMemory, timeNs, timeNs, bytes, -1);
}

LaneStore twoDevices() {
    LaneStore store(makeLanes({"GPU \"A\", left", "GPU 1"}), 0);
    const LaneId compute = laneOf(DeviceId(0), LaneRole::kCompute);
    const LaneId weights = laneOf(DeviceId(0), LaneRole::kWeightsUp);
    const LaneId down = laneOf(DeviceId(0), LaneRole::kGradientsDown);
    store.append(std::vector{slice(compute, Kind::kForward, 0, 100), slice(compute, Kind::kBackward, 100, 300, 0, 1),
                             slice(compute, Kind::kForward, 250, 350, 0, 2), // overlaps the one before
                             waitFor(IdleReason::kWeights, 4, compute, 350, 1000),
                             slice(weights, Kind::kUploadWeights, 0, 400, 4000),
                             slice(down, Kind::kDownloadGradient, 500, 600, 100),
                             slice(hostLane(2, LaneRole::kOptimizer), Kind::kOptimizer, 600, 700)});
    return store;
}

const KindStatistics* find(const RangeStatistics& statistics, Kind kind) {
    const auto it = std::find_if(statistics.kinds.begin(), statistics.kinds.end(),
                                 [&](const KindStatistics& k) { return k.kind == kind; });
    return it == statistics.kinds.end() ? nullptr : &*it;
}

TEST(Statistics, busyIsTheUnionOfComputeAndBubbleTheRest) {
    const RangeStatistics all = statisticsOf(twoDevices(), 0, 1000);
    ASSERT_EQ(all.devices.size(), 2U);
    EXPECT_EQ(all.devices[0].busyNs, 350);
    EXPECT_DOUBLE_EQ(all.devices[0].busyShare, 0.35);
    EXPECT_DOUBLE_EQ(all.devices[0].bubbleShare, 0.65);
    EXPECT_DOUBLE_EQ(all.devices[1].bubbleShare, 1.0) << "a device without a slice is all bubble";
    EXPECT_DOUBLE_EQ(all.devices[0].bytesUp, 4000);
    EXPECT_DOUBLE_EQ(all.devices[0].bytesDown, 100);
}

// Prompts are answered before the first step and after the last one.
TEST(Statistics, bubblesAreThoseOfSteps) {
    LaneStore store(makeLanes({"GPU 0", "GPU 1"}), 0);
    const LaneId first = laneOf(DeviceId(0), LaneRole::kCompute);
    const LaneId second = laneOf(DeviceId(1), LaneRole::kCompute);
    const LaneId session = hostLane(2, LaneRole::kSession);
    store.append(std::vector{
        slice(session, Kind::kAnswer, 0, 10'000, 0, -1), slice(first, Kind::kAnswer, 0, 9'000, 0, -1),
        slice(session, Kind::kStep, 10'000, 10'100, 0, 0), slice(first, Kind::kForward, 10'000, 10'080),
        slice(second, Kind::kBackward, 10'020, 10'100), slice(session, Kind::kStep, 10'100, 10'200, 0, 1),
        slice(first, Kind::kForward, 10'100, 10'190, 0, 1), slice(session, Kind::kEvaluate, 10'200, 10'700, 0, -1),
        slice(second, Kind::kEvaluate, 10'200, 10'300, 0, -2), slice(session, Kind::kAnswer, 10'700, 30'000, 0, -1)});
    const RangeStatistics all = statisticsOf(store, 0, 30'000);
    EXPECT_EQ(all.stepsNs, 200);
    EXPECT_DOUBLE_EQ(all.devices[0].bubbleShare, 1 - 170.0 / 200);
    EXPECT_DOUBLE_EQ(all.devices[1].bubbleShare, 1 - 80.0 / 200);
    EXPECT_DOUBLE_EQ(all.devices[0].busyShare, 9170.0 / 30'000) << "of the range";
    const RangeStatistics part = statisticsOf(store, 10'050, 20'000);
    EXPECT_EQ(part.stepsNs, 150);
    EXPECT_DOUBLE_EQ(part.devices[1].bubbleShare, 1 - 50.0 / 150);
    EXPECT_EQ(statisticsOf(store, 11'000, 30'000).stepsNs, 0) << "answers alone";
    LaneStore running(makeLanes({"GPU 0"}), 0); // whose first step has not ended
    running.append(std::vector{slice(hostLane(1, LaneRole::kSession), Kind::kAnswer, 0, 100, 0, -1),
                               slice(first, Kind::kForward, 150, 190)});
    EXPECT_EQ(statisticsOf(running, 0, 200).stepsNs, 100);
    EXPECT_DOUBLE_EQ(statisticsOf(running, 0, 200).devices[0].bubbleShare, 0.6);
}

// Prompts may be answered for long before a record of it is there.
TEST(Statistics, whatIsUnderWayKeepsDevicesBusy) {
    LaneStore store(makeLanes({"GPU 0", "GPU 1"}), 0);
    const LaneId compute = laneOf(DeviceId(0), LaneRole::kCompute);
    const LaneId session = hostLane(2, LaneRole::kSession);
    store.append(std::vector{slice(session, Kind::kStep, 0, 100, 0, 0), slice(compute, Kind::kForward, 0, 90)});
    const auto during = [&](const std::vector<Record>& open, int64_t beginNs, int64_t endNs) {
        return *statisticsOf(store.allSlices(), store.lanes(), beginNs, endNs, {}, open);
    };
    const std::vector open = {slice(compute, Kind::kAnswer, 100, 0, 0, -1),
                              slice(session, Kind::kAnswer, 100, 0, 0, -1)};
    const RangeStatistics answering = during(open, 400, 900);
    EXPECT_EQ(answering.devices[0].busyNs, 500);
    EXPECT_EQ(answering.devices[1].busyNs, 0);
    EXPECT_EQ(answering.stepsNs, 0);
    EXPECT_EQ(answering.between, std::vector{Kind::kAnswer});
    EXPECT_TRUE(answering.kinds.empty()) << "how long it takes is not known";
    const RangeStatistics both = during(open, 0, 200);
    EXPECT_EQ(both.devices[0].busyNs, 190);
    EXPECT_EQ(both.stepsNs, 100);
    EXPECT_DOUBLE_EQ(both.devices[0].bubbleShare, 0.1) << "an answer fills no step";
    EXPECT_TRUE(during(open, 0, 100).between.empty()) << "it begins after the range";
    store.append(std::vector{slice(compute, Kind::kAnswer, 100, 150, 0, -1), pauseOf(2, 150, 300)});
    const RangeStatistics paused = during(open, 0, 400);
    EXPECT_EQ(paused.devices[0].busyNs, 140) << "its record has come";
    EXPECT_EQ(paused.between, std::vector{Kind::kWait});
}

TEST(Statistics, clipsSlicesToTheRange) {
    const RangeStatistics part = statisticsOf(twoDevices(), 50, 200);
    EXPECT_EQ(part.devices[0].busyNs, 150);
    ASSERT_NE(find(part, Kind::kForward), nullptr);
    EXPECT_EQ(find(part, Kind::kForward)->count, 1);
    EXPECT_EQ(find(part, Kind::kForward)->totalNs, 50);
    EXPECT_EQ(find(part, Kind::kForward)->longestNs, 100);
    EXPECT_DOUBLE_EQ(find(part, Kind::kUploadWeights)->bytes, 4000.0 * 150 / 400);
    EXPECT_EQ(find(part, Kind::kOptimizer), nullptr);
    EXPECT_EQ(part.firstStep, 0);
    EXPECT_EQ(part.lastStep, 1);
}

TEST(Statistics, sumsEachKind) {
    const RangeStatistics all = statisticsOf(twoDevices(), 0, 1000);
    EXPECT_EQ(find(all, Kind::kForward)->count, 2);
    EXPECT_EQ(find(all, Kind::kForward)->totalNs, 200);
    EXPECT_DOUBLE_EQ(find(all, Kind::kForward)->meanNs(), 100);
    EXPECT_EQ(all.lastStep, 2);
}

TEST(Statistics, sayWhyADeviceWasIdleAndWhichSlotBlockedMost) {
    LaneStore store = twoDevices();
    const LaneId compute = laneOf(DeviceId(1), LaneRole::kCompute);
    store.append(std::vector{
        waitFor(IdleReason::kPacket, 2, compute, 0, 100), waitFor(IdleReason::kHost, -1, compute, 100, 200),
        waitFor(IdleReason::kPacket, 3, compute, 200, 500), waitFor(IdleReason::kPacket, 2, compute, 500, 600)});
    const RangeStatistics all = statisticsOf(store, 0, 550);
    ASSERT_EQ(all.devices[0].idle.size(), 1U);
    EXPECT_EQ(all.devices[0].idle[0].totalNs, 200) << "clipped to the range";
    EXPECT_EQ(all.devices[0].idle[0].longestNs, 650);
    ASSERT_EQ(all.devices[1].idle.size(), 2U);
    const IdleStatistics& packets = all.devices[1].idle[0];
    EXPECT_EQ(packets.reason, IdleReason::kPacket) << "most time first";
    EXPECT_EQ(packets.count, 3);
    EXPECT_EQ(packets.totalNs, 450);
    EXPECT_EQ(packets.slot, 3);
    EXPECT_EQ(packets.slotNs, 300);
    EXPECT_EQ(packets.longestNs, 300);
    EXPECT_EQ(packets.longestStartNs, 200);
    EXPECT_EQ(all.devices[1].idle[1].reason, IdleReason::kHost);
    EXPECT_EQ(all.devices[1].idle[1].slot, -1);
    EXPECT_EQ(all.devices[1].busyNs, 0) << "waiting is not busy";
}

TEST(Statistics, memoryHoldsUntilItsNextRecord) {
    LaneStore store = twoDevices();
    store.append(std::vector{memory(100, 7), memory(300, 9), memory(500, 2)});
    EXPECT_EQ(statisticsOf(store, 0, 50).devices[0].peakBytes, 0);
    EXPECT_EQ(statisticsOf(store, 0, 200).devices[0].peakBytes, 7);
    EXPECT_EQ(statisticsOf(store, 350, 900).devices[0].peakBytes, 9);
    EXPECT_EQ(statisticsOf(store, 600, 900).devices[0].peakBytes, 2);
    EXPECT_EQ(find(statisticsOf(store, 0, 1000), Kind::kMemory), nullptr);
}

TEST(Statistics, csvHasARowPerDeviceReasonAndKind) {
    std::istringstream csv(toCsv(statisticsOf(twoDevices(), 0, 1000)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(csv, line);)
        lines.push_back(line);
    ASSERT_EQ(lines.size(), 1U + 2U + 1U + 6U);
    EXPECT_TRUE(lines[1].starts_with("device,\"GPU \"\"A\"\", left\",")) << lines[1];
    EXPECT_TRUE(lines[1].ends_with(",35.000,65.000,,")) << lines[1];
    EXPECT_TRUE(lines[3].starts_with("idle,\"GPU \"\"A\"\", left: weights, mostly slot 4\",1,")) << lines[3];
    EXPECT_TRUE(lines[4].starts_with("kind,forward,2,")) << lines[4];
    for (std::size_t i = 4; i < lines.size(); ++i)
        EXPECT_EQ(std::count(lines[i].begin(), lines[i].end(), ','), 12) << lines[i];
}

TEST(Statistics, aLinkIsInUseWhileAnyOfItsLanesCopies) {
    LaneStore store = twoDevices(); // device 0: up 0 to 400, down 500 to 600
    const LaneId packets = laneOf(DeviceId(0), LaneRole::kActivationsUp);
    store.append(std::vector{slice(packets, Kind::kUploadActivation, 100, 200, 1),
                             slice(packets, Kind::kUploadActivation, 300, 450, 1),
                             slice(packets, Kind::kUploadActivation, 900, 1100, 1)});
    const LinkUse whole = linkUseOf(store, DeviceId(0), 0, 1000);
    EXPECT_EQ(whole.upNs, 450 + 100);
    EXPECT_EQ(whole.downNs, 100);
    EXPECT_EQ(linkUseOf(store, DeviceId(0), 350, 550).upNs, 100);
    EXPECT_EQ(linkUseOf(store, DeviceId(0), 350, 550).downNs, 50);
    EXPECT_EQ(linkUseOf(store, DeviceId(1), 0, 1000).upNs, 0);
}

} // namespace
} // namespace roundpipe::trace
