// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/idle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace roundpipe::trace {
namespace {

constexpr int64_t kMs = 1'000'000;

Record record(Kind kind, int device, LaneRole role, int32_t slot, int64_t startNs, int64_t endNs, int microbatch = 0,
              int layer = -1) {
    Record r;
    r.kind = kind;
    r.lane = laneOf(DeviceId(device), role);
    r.step = 0;
    r.slot = slot;
    r.stage = StageId(slot);
    r.microbatch = MicrobatchId(microbatch);
    r.layer = LayerId(layer);
    r.startNs = r.queuedNs = startNs;
    r.endNs = endNs;
    return r;
}
Record forward(int device, int32_t slot, int64_t startNs, int64_t endNs, int microbatch = 0) {
    return record(Kind::kForward, device, LaneRole::kCompute, slot, startNs, endNs, microbatch);
}
Record weights(int device, int32_t slot, int layer, int64_t startNs, int64_t endNs) {
    return record(Kind::kUploadWeights, device, LaneRole::kWeightsUp, slot, startNs, endNs, -1, layer);
}
Record up(int device, int32_t slot, int layer, int64_t startNs, int64_t endNs) {
    return record(Kind::kUploadActivation, device, LaneRole::kActivationsUp, slot, startNs, endNs, 0, layer);
}
Record down(int device, int32_t slot, int layer, int64_t startNs, int64_t endNs) {
    return record(Kind::kDownloadActivation, device, LaneRole::kActivationsDown, slot, startNs, endNs, 0, layer);
}
Record update(int32_t step, int layer, int64_t startNs, int64_t endNs) {
    Record r = record(Kind::kOptimizer, 0, LaneRole::kCompute, -1, startNs, endNs, -1, layer);
    r.lane = hostLane(2, LaneRole::kOptimizer);
    r.step = step;
    return r;
}
Record inStep(Record r, int32_t step) {
    r.step = step;
    return r;
}

TEST(IdleFinder, theLastOfPacketAndWeightsIsTheReason) {
    std::vector<Record> records{forward(0, 0, 0, 10 * kMs),       down(0, 0, 2, 10 * kMs, 12 * kMs),
                                forward(1, 0, 0, 1 * kMs, 1), // device 1 did something before
                                weights(1, 1, 2, 0, 15 * kMs),    up(1, 1, 2, 12 * kMs, 14 * kMs),
                                forward(1, 1, 15 * kMs, 20 * kMs)};
    std::vector<Record> waits = idleSlicesOf(records);
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(waits[0].reason, IdleReason::kWeights);
    EXPECT_EQ(waits[0].layer, LayerId(2));
    EXPECT_EQ(waits[0].endNs, 15 * kMs);
    EXPECT_EQ(waits[0].lane, laneOf(DeviceId(1), LaneRole::kCompute));

    records[3].endNs = 13 * kMs; // now the packet is the last
    records[5].startNs = 14 * kMs;
    waits = idleSlicesOf(records);
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(waits[0].reason, IdleReason::kPacket);
    EXPECT_EQ(waits[0].blockingSlot, 0);
    EXPECT_EQ(waits[0].slot, 1);
    EXPECT_EQ(waits[0].kind, Kind::kWait);
}

TEST(IdleFinder, aGapIsCutWhereItsReasonChanges) {
    Record adapter = inStep(record(Kind::kUploadAdapter, 0, LaneRole::kWeightsUp, 0, 31 * kMs, 34 * kMs, -1, 0), 1);
    const Record tokens =
        inStep(record(Kind::kUploadActivation, 0, LaneRole::kActivationsUp, -1, 31 * kMs, 31 * kMs, -1), 1);
    const std::vector<Record> records{
        forward(0, 0, 0, 10 * kMs),
        record(Kind::kDownloadGradient, 0, LaneRole::kGradientsDown, 0, 10 * kMs, 11 * kMs),
        update(0, 0, 11 * kMs, 20 * kMs),
        tokens,
        adapter,
        inStep(forward(0, 0, 34 * kMs, 40 * kMs), 1)};
    // The step before was updated at 20 ms; the next one was dispatched at 31 ms.
    const std::vector<Record> waits = idleSlicesOf(records);
    ASSERT_EQ(waits.size(), 3U);
    EXPECT_EQ(waits[0].reason, IdleReason::kUpdate);
    EXPECT_EQ(waits[0].startNs, 10 * kMs);
    EXPECT_EQ(waits[0].endNs, 20 * kMs);
    EXPECT_EQ(waits[0].blockingSlot, 0);
    EXPECT_EQ(waits[1].reason, IdleReason::kHost);
    EXPECT_EQ(waits[1].endNs, 31 * kMs);
    EXPECT_EQ(waits[2].reason, IdleReason::kWeights);
    EXPECT_EQ(waits[2].endNs, 34 * kMs);
}

TEST(IdleFinder, aStepThatFlowsIntoTheNextWaitsForNoUpdate) {
    const std::vector<Record> records{forward(0, 0, 0, 10 * kMs),
                                      inStep(forward(1, 0, 8 * kMs, 30 * kMs), 1),
                                      update(0, 0, 9 * kMs, 35 * kMs),
                                      inStep(down(1, 0, 2, 30 * kMs, 31 * kMs), 1),
                                      inStep(up(0, 1, 2, 31 * kMs, 40 * kMs), 1),
                                      inStep(forward(0, 1, 40 * kMs, 50 * kMs), 1)};
    const std::vector<Record> waits = idleSlicesOf(records);
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(waits[0].reason, IdleReason::kPacket);
}

TEST(IdleFinder, whatAPauseLastedIsNotTheHosts) {
    // A validation in its middle makes two pieces of it; the last one lies behind what is looked at.
    const std::vector<Record> records{forward(0, 0, 0, 10 * kMs),     update(0, 0, 10 * kMs, 12 * kMs),
                                      pauseOf(2, 13 * kMs, 20 * kMs), inStep(forward(0, 0, 21 * kMs, 25 * kMs), -2),
                                      pauseOf(2, 25 * kMs, 40 * kMs), inStep(forward(0, 0, 42 * kMs, 50 * kMs), 1),
                                      pauseOf(2, 60 * kMs, 70 * kMs)};
    const std::vector<Record> waits = idleSlicesOf(records);
    int64_t pausedNs = 0;
    int64_t hostNs = 0;
    for (const Record& wait : waits) {
        if (wait.reason == IdleReason::kPause) pausedNs += wait.endNs - wait.startNs;
        if (wait.reason == IdleReason::kHost) hostNs += wait.endNs - wait.startNs;
    }
    EXPECT_EQ(pausedNs, (7 + 15) * kMs);
    EXPECT_EQ(hostNs, (1 + 1 + 2) * kMs) << "before the pause, and until work was issued after it";
}

TEST(IdleFinder, neighboursAndWhatIsTooShortToSeeAreNoWaits) {
    EXPECT_TRUE(
        idleSlicesOf(std::vector{forward(0, 0, 0, kMs), forward(0, 0, kMs + kShortestIdleNs - 1, 2 * kMs, 1)}).empty());
    const auto waits =
        idleSlicesOf(std::vector{forward(0, 0, 0, kMs), forward(0, 0, kMs + kShortestIdleNs, 2 * kMs, 1)});
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(waits[0].reason, IdleReason::kHost) << "nothing that is recorded explains it";
    EXPECT_EQ(waits[0].blockingSlot, -1);
}

// A collector sees the lanes' records interleaved in any way and asks early.
TEST(IdleFinder, findsTheSameInARunAsAfterIt) {
    std::mt19937 random(5);
    std::vector<Record> records;
    int64_t at = 0;
    for (int32_t step = 0; step < 20; ++step)
        for (int32_t slot = 0; slot < 6; ++slot) {
            const int device = (step * 6 + slot) % 2;
            const int64_t took = static_cast<int64_t>(random() % 5 + 1) * kMs;
            records.push_back(inStep(weights(device, slot, slot, at, at + took), step));
            if (slot > 0) records.push_back(inStep(up(device, slot, slot, at, at + took / 2), step));
            records.push_back(inStep(forward(device, slot, at + took, at + 2 * took), step));
            records.push_back(inStep(down(device, slot, slot + 1, at + 2 * took, at + 2 * took + kMs / 2), step));
            at += 2 * took + kMs / 2;
        }
    const std::vector<Record> expected = idleSlicesOf(records);
    ASSERT_GT(expected.size(), 50U);

    std::vector<std::vector<Record>> lanes(makeLanes({"a", "b"}).size());
    for (const Record& r : records)
        lanes[r.lane.index()].push_back(r);
    IdleFinder finder;
    std::vector<Record> found;
    std::vector<std::size_t> next(lanes.size());
    for (int64_t now = 0; now < at + 100 * kMs; now += 3 * kMs) { // what has ended by now, lane by lane
        for (std::size_t l = lanes.size(); l-- > 0;)
            while (next[l] < lanes[l].size() && lanes[l][next[l]].endNs <= now)
                finder.add({&lanes[l][next[l]++], 1});
        finder.take(now - 50 * kMs, found);
    }
    const auto sorted = [](std::vector<Record> waits) {
        std::ranges::sort(waits, {}, &Record::startNs);
        std::vector<std::tuple<int64_t, int64_t, IdleReason, int32_t>> facts;
        for (const Record& w : waits)
            facts.emplace_back(w.startNs, w.endNs, w.reason, w.blockingSlot);
        return facts;
    };
    EXPECT_EQ(sorted(found), sorted(expected));
}

} // namespace
} // namespace roundpipe::trace
