// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/analysis/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roundpipe::trace {
namespace {

constexpr int64_t kMs = 1'000'000;

// Steps from `firstStep` on, `stepMs` each, in which one device computes `busyMs` and then waits for weights.
LaneStore runOf(int32_t firstStep, int32_t numSteps, int64_t stepMs, int64_t busyMs, int64_t originNs) {
    LaneStore store(makeLanes({"cpu:0"}), originNs);
    std::vector<Record> records;
    for (int32_t i = 0; i < numSteps; ++i) {
        const auto add = [&](Kind kind, LaneId lane, int64_t from, int64_t to) {
            Record record;
            record.kind = kind;
            record.lane = lane;
            record.step = firstStep + i;
            record.startNs = originNs + (i * stepMs + from) * kMs;
            record.endNs = originNs + (i * stepMs + to) * kMs;
            record.reason = kind == Kind::kWait ? IdleReason::kWeights : IdleReason::kNone;
            record.bytes = kind == Kind::kUploadWeights ? 1000 : 0;
            records.push_back(record);
        };
        add(Kind::kForward, LaneId(0), 0, busyMs);
        add(Kind::kWait, LaneId(0), busyMs, stepMs);
        add(Kind::kUploadWeights, laneOf(DeviceId(0), LaneRole::kWeightsUp), 1, 2);
        add(Kind::kStep, hostLane(1, LaneRole::kSession), 0, stepMs);
    }
    store.append(records);
    return store;
}

ComparedSide sideOf(const LaneStore& store) {
    return steadySideOf(store.allSlices(), store.lanes());
}

TEST(Comparison, alignsBySteps) {
    const LaneStore run = runOf(5, 10, 100, 60, 7'000 * kMs);
    const LaneStore other = runOf(0, 8, 50, 40, 0);
    const auto from = stepsOf(run.allSlices(), run.lanes());
    const auto to = stepsOf(other.allSlices(), other.lanes());
    ASSERT_EQ(from.size(), 10U);
    EXPECT_EQ(alignedNs(from, to, 7'010 * kMs), (5 * 50 + 10) * kMs);
    EXPECT_EQ(alignedNs(from, to, 7'930 * kMs), (7 * 50 + 30) * kMs) << "the last one there is";
    EXPECT_EQ(alignedNs(to, from, 10 * kMs), 7'010 * kMs) << "the first one there is";
    EXPECT_EQ(alignedNs({}, to, 33), 33);
}

TEST(Comparison, measuresBothSidesPerStep) {
    const auto rows = compare(sideOf(runOf(0, 5, 100, 60, 0)), sideOf(runOf(0, 20, 50, 40, 0)));
    const auto row = [&](Measure::What what) { return *std::ranges::find(rows, what, &Measure::what); };
    EXPECT_DOUBLE_EQ(row(Measure::What::kStep).first, 100.0 * kMs);
    EXPECT_DOUBLE_EQ(row(Measure::What::kStep).difference(), -50.0 * kMs);
    EXPECT_NEAR(row(Measure::What::kBusy).first, 0.6, 1e-9);
    EXPECT_NEAR(row(Measure::What::kBusy).second, 0.8, 1e-9);
    EXPECT_NEAR(row(Measure::What::kIdle).difference(), -0.2, 1e-9);
    EXPECT_EQ(row(Measure::What::kIdle).reason, IdleReason::kWeights);
    EXPECT_NEAR(row(Measure::What::kBytesUp).first, 1000, 1e-6);
    EXPECT_NEAR(row(Measure::What::kBytesUp).second, 1000, 1e-6);
    const auto forward = std::ranges::find_if(
        rows, [](const Measure& m) { return m.what == Measure::What::kKind && m.kind == Kind::kForward; });
    ASSERT_NE(forward, rows.end());
    EXPECT_NEAR(forward->first, 60.0 * kMs, 1);
    EXPECT_NEAR(forward->second, 40.0 * kMs, 1);
}

// What a user's pause or an answer between two steps takes is no step's.
TEST(Comparison, aPauseIsNoIdleTimeOfAStep) {
    LaneStore paused = runOf(0, 3, 100, 60, 0);
    LaneStore later = runOf(3, 3, 100, 60, 1'000 * kMs);
    std::vector<Record> records = {pauseOf(1, 300 * kMs, 800 * kMs)};
    Record wait = records.front();
    wait.lane = LaneId(0);
    records.push_back(wait);
    Record answer;
    answer.kind = Kind::kAnswer;
    answer.startNs = 800 * kMs;
    answer.endNs = 1'000 * kMs;
    for (const LaneId lane : {LaneId(0), hostLane(1, LaneRole::kSession)}) {
        answer.lane = lane;
        records.push_back(answer);
        const SliceList& slices = later.slices(lane);
        for (std::size_t i = 0; i < slices.size(); ++i)
            records.push_back(slices[i]);
    }
    paused.append(records);
    const auto rows = compare(sideOf(runOf(0, 6, 100, 60, 0)), sideOf(paused));
    std::size_t numShares = 0;
    for (const Measure& measure : rows) {
        if (measure.what != Measure::What::kBusy && measure.what != Measure::What::kIdle) continue;
        ++numShares;
        EXPECT_NE(measure.reason, IdleReason::kPause);
        EXPECT_NEAR(measure.difference(), 0, 1e-9) << toString(measure.reason);
    }
    EXPECT_EQ(numShares, 2U) << "busy, and what waits for weights";
    ComparedSide answers{statisticsOf(paused, 800 * kMs, 1'000 * kMs), 1};
    EXPECT_DOUBLE_EQ(compare(answers, answers).front().first, 1) << "busy with them all the time";
}

// What only one of them has counts as nothing in the other.
TEST(Comparison, goesOnWhereOneSideHasLess) {
    LaneStore none(makeLanes({"cpu:0"}), 0);
    const auto rows = compare(sideOf(runOf(0, 5, 100, 60, 0)), sideOf(none));
    ASSERT_FALSE(rows.empty());
    for (const Measure& measure : rows)
        EXPECT_EQ(measure.second, 0);
    EXPECT_TRUE(stepsOf(none.allSlices(), none.lanes()).empty());
}

} // namespace
} // namespace roundpipe::trace
