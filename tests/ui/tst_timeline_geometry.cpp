// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/follow.h"
#include "ui/timeline/geometry/hit_test.h"
#include "ui/timeline/geometry/lane_geometry.h"
#include "ui/timeline/geometry/lane_layout.h"
#include "ui/timeline/geometry/microbatch_way.h"
#include "ui/timeline/geometry/planned_steps.h"
#include "ui/timeline/geometry/slice_search.h"
#include "ui/timeline/geometry/time_axis.h"
#include "ui/timeline/geometry/viewport.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

namespace roundpipe::ui::timeline {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1000 * kMs;

trace::Record slice(int64_t startNs, int64_t endNs, trace::Kind kind = trace::Kind::kForward) {
    trace::Record record;
    record.startNs = startNs;
    record.endNs = endNs;
    record.kind = kind;
    record.lane = LaneId(0);
    return record;
}

Viewport viewOf(int64_t dataBegin, int64_t dataEnd, int width) {
    Viewport view;
    view.setWidth(width);
    view.setBounds(dataBegin, dataEnd);
    view.fit();
    return view;
}

// Whatever gestures came before: where there is data under the cursor, zooming in holds its time there.
TEST(Viewport, zoomKeepsTheTimeUnderTheCursor) {
    std::mt19937 random(1);
    const auto uniform = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const int64_t dataBegin = 5 * kSecond;
    int numChecked = 0;
    for (int i = 0; i < 2000; ++i) {
        const int64_t dataEnd = dataBegin + static_cast<int64_t>(uniform(1e6, 1e13));
        Viewport view = viewOf(dataBegin, dataEnd, 200 + i);
        for (int gesture = 0; gesture < i % 5; ++gesture) {
            view.panBy(uniform(-500, 500));
            view.zoomAbout(uniform(0, view.width()), uniform(0.3, 1.5));
        }
        const double x = uniform(0, view.width());
        const int64_t time = view.timeAt(x);
        if (time < dataBegin || time > dataEnd || view.spanNs() < 3 * Viewport::kMinSpanNs) continue;
        view.zoomAbout(x, 0.5);
        const double tolerance = 1.0 + 2.0 / view.nsPerPixel(); // a pixel, or the nanosecond that times are rounded to
        ASSERT_NEAR(view.xAt(time), x, tolerance) << "case " << i;
        ++numChecked;
    }
    EXPECT_GT(numChecked, 1000);
}

TEST(Viewport, neverLosesTheData) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(-3000, 3000);
    Viewport view = viewOf(kSecond, 20 * kSecond, 1000);
    for (int i = 0; i < 5000; ++i) {
        view.panBy(uniform(random));
        view.zoomAbout(uniform(random), std::exp(uniform(random) / 3000));
        const int64_t middle = view.beginNs() + view.spanNs() / 2;
        ASSERT_GE(middle, kSecond - 1);
        ASSERT_LE(middle, 20 * kSecond + 1);
        ASSERT_GE(view.spanNs(), Viewport::kMinSpanNs);
        ASSERT_LE(view.spanNs(), 2 * 19 * kSecond);
    }
}

TEST(Viewport, positionsAndTimesAreInverse) {
    const Viewport view = viewOf(0, 3 * kSecond, 977);
    for (int x = 0; x < 977; ++x)
        ASSERT_NEAR(view.xAt(view.timeAt(x)), x, 1e-3);
}

TEST(Viewport, fitShowsAllData) {
    const Viewport view = viewOf(123, 7 * kSecond, 800);
    EXPECT_LE(view.beginNs(), 123);
    EXPECT_GE(view.endNs(), 7 * kSecond);
    EXPECT_LT(view.spanNs(), 8 * kSecond);
}

TEST(Viewport, followingMovesByWholePixels) {
    Viewport view = viewOf(0, 10 * kSecond, 500);
    view.show(2 * kSecond, 3 * kSecond);
    const double pixel = view.nsPerPixel();
    for (int64_t newest = 4 * kSecond; newest < 5 * kSecond; newest += 7'654'321) {
        const int64_t before = view.beginNs();
        view.endAt(newest);
        const double pixels = static_cast<double>(view.beginNs() - before) / pixel;
        ASSERT_NEAR(pixels, std::round(pixels), 1e-3);
        ASSERT_LE(std::abs(view.endNs() - newest), static_cast<int64_t>(pixel) + 1);
    }
}

TEST(TimeAxis, labelsAreRoundApartAndDifferent) {
    for (double span = 2e4; span < 1e15; span *= 1.7) {
        const auto begin = static_cast<int64_t>(span * 3.3);
        const auto end = begin + static_cast<int64_t>(span);
        std::set<std::string> seen;
        int64_t last = -1;
        const double nsPerPixel = span / 1200;
        for (const TimeMark& mark : timeMarks(begin, end, 1200, 100)) {
            ASSERT_GE(mark.timeNs, begin);
            ASSERT_LE(mark.timeNs, end);
            if (mark.label.empty()) continue;
            ASSERT_TRUE(seen.insert(mark.label).second) << mark.label << " twice at span " << span;
            ASSERT_TRUE(last < 0 || static_cast<double>(mark.timeNs - last) / nsPerPixel >= 99.0);
            last = mark.timeNs;
        }
        ASSERT_GE(seen.size(), 1U) << "span " << span;
        ASSERT_LE(seen.size(), 13U);
    }
}

TEST(TimeAxis, speaksInHumanUnits) {
    EXPECT_EQ(durationText(0), "0 ns");
    EXPECT_EQ(durationText(999), "999 ns");
    EXPECT_EQ(durationText(12'340), "12.3 µs");
    EXPECT_EQ(durationText(5'000'000), "5.00 ms");
    EXPECT_EQ(durationText(999'900'000), "1.00 s");
    EXPECT_EQ(durationText(59 * kSecond), "59.0 s");
    EXPECT_EQ(durationText(187 * kSecond), "3 min 07 s");
    EXPECT_EQ(durationText(3723 * kSecond), "1 h 02 min");
    EXPECT_EQ(momentText(12'345'678'900, 1e6), "12.346 s");
    EXPECT_EQ(momentText(12'345'678'900, 5e8), "12.3 s");
    EXPECT_EQ(momentText(0, 2e9), "0 s");
    EXPECT_EQ(momentText(62'345'000'000, 1e7), "1:02.35 min");
    EXPECT_EQ(momentText(3'723'000'000'000, 1e9), "1:02:03");
}

TEST(LaneLayout, rowsDoNotOverlapAndEveryLaneHasOne) {
    const auto lanes = trace::makeLanes({"cpu:0", "cpu:1", "cpu:2"});
    for (const int available : {260, 400, 900}) {
        const LaneLayout layout = layOutLanes(lanes, available);
        int bottom = 0;
        std::set<int32_t> seen;
        for (const LaneGroup& group : layout.groups)
            for (const LaneRow& row : group.rows) {
                ASSERT_GE(row.top, bottom);
                bottom = row.top + row.height;
                seen.insert(row.lane.value);
                ASSERT_EQ(layout.rowAt(row.top + row.height / 2), &row);
            }
        EXPECT_EQ(seen.size(), lanes.size() - 1) << "all but the steps, which are the ruler's";
        EXPECT_LE(bottom, layout.height);
        EXPECT_TRUE(available < 400 || layout.height <= available) << "fills the place, and no more";
    }
    EXPECT_EQ(layOutLanes(lanes, 400).groups.size(), 4U);
    EXPECT_EQ(layOutLanes(lanes, 400).groups[1].name, "cpu:1");
    EXPECT_EQ(layOutLanes({}, 400).height, 0);
}

TEST(LaneLayout, foldedGroupsShowOneLaneAndPinnedOnesStandOnTop) {
    const auto lanes = trace::makeLanes({"cpu:0", "cpu:1", "cpu:2"});
    const LaneLayout layout = layOutLanes(lanes, 2000, {{{DeviceId(0), true}}, {DeviceId(2)}, {}, {}});
    ASSERT_EQ(layout.groups.size(), 4U);
    EXPECT_EQ(layout.groups[0].device, DeviceId(2));
    EXPECT_EQ(layout.groups[1].device, DeviceId(0));
    ASSERT_EQ(layout.groups[1].rows.size(), 1U);
    EXPECT_EQ(layout.groups[1].rows[0].role, trace::LaneRole::kCompute);
    EXPECT_EQ(layout.rowOf(trace::laneOf(DeviceId(0), trace::LaneRole::kWeightsUp)), nullptr);
    EXPECT_NE(layout.rowOf(trace::laneOf(DeviceId(2), trace::LaneRole::kWeightsUp)), nullptr);
}

// Eight devices in the smallest window: each a row, all on show; what somebody has unfolded stays legible.
TEST(LaneLayout, devicesThatNobodyChoseFoldWhereRoomIsShort) {
    std::vector<std::string> names;
    for (int i = 0; i < 8; ++i)
        names.push_back("cuda:" + std::to_string(i));
    const auto lanes = trace::makeLanes(names);
    const int least = layOutLanes(lanes, 0).height;
    EXPECT_LE(least, 9 * 15);
    for (const int available : {least, 160, 300, 450}) {
        const LaneLayout layout = layOutLanes(lanes, available);
        EXPECT_LE(layout.height, available);
        EXPECT_GE(layout.height, available - 12) << "and fills it";
        for (const LaneGroup& group : layout.groups) {
            EXPECT_TRUE(group.collapsed);
            ASSERT_EQ(group.rows.size(), 1U);
            EXPECT_GE(group.rows[0].height, 11);
        }
    }
    LaneChoice choice;
    choice.collapsed[DeviceId(3)] = false;
    const LaneLayout unfolded = layOutLanes(lanes, least, choice);
    EXPECT_EQ(unfolded.groups[3].rows.size(), 6U);
    EXPECT_GE(unfolded.rowOf(trace::laneOf(DeviceId(3), trace::LaneRole::kWeightsUp))->height, 10);
    EXPECT_TRUE(unfolded.groups[4].collapsed);
    const LaneLayout roomy = layOutLanes(lanes, 900);
    for (const LaneGroup& group : roomy.groups)
        EXPECT_FALSE(group.collapsed);
    EXPECT_FALSE(layOutLanes(trace::makeLanes({"cuda:0"}), 0).groups[0].collapsed) << "there is nothing beside it";
}

trace::LaneStore storeOfSteps(const std::vector<int64_t>& durations) {
    trace::LaneStore store(trace::makeLanes({"cpu:0"}), 0);
    int64_t at = 0;
    for (const int64_t duration : durations) {
        trace::Record step = slice(at, at + duration, trace::Kind::kStep);
        step.lane = trace::hostLane(1, trace::LaneRole::kSession);
        store.append({&step, 1});
        at += duration;
    }
    return store;
}

// Steps of 45 to 540 ms, as a real run had them: the scale may not jump about.
TEST(FollowLive, theScaleOfTheNewestStepsIsSteady) {
    EXPECT_EQ(newestStepsNs(storeOfSteps({})), 0);
    EXPECT_EQ(newestStepsNs(storeOfSteps({100, 100, 5000})), 300) << "one odd step changes nothing";
    std::mt19937 random(3);
    std::vector<int64_t> durations;
    for (int i = 0; i < 200; ++i)
        durations.push_back((45 + static_cast<int64_t>(random() % 495)) * kMs);
    int64_t span = newestStepsNs(storeOfSteps({durations.begin(), durations.begin() + 15}));
    for (std::size_t n = 16; n < durations.size(); ++n) {
        const int64_t wanted =
            newestStepsNs(storeOfSteps({durations.begin(), durations.begin() + static_cast<std::ptrdiff_t>(n)}));
        const int64_t next = easedSpanNs(span, wanted);
        EXPECT_LT(std::abs(std::log(static_cast<double>(next) / static_cast<double>(span))), 0.12)
            << "at most 12 % a tick";
        span = next;
    }
    int64_t eased = 100 * kMs;
    for (int tick = 0; tick < 60; ++tick)
        eased = easedSpanNs(eased, 300 * kMs);
    EXPECT_EQ(eased, 300 * kMs) << "it arrives";
}

TEST(SliceSearch, findsStagesMicrobatchesStepsKindsAndReasons) {
    trace::LaneStore store(trace::makeLanes({"cpu:0", "cpu:1"}), 0);
    std::vector<trace::Record> records;
    for (int i = 0; i < 40; ++i) {
        trace::Record r =
            slice(i * kMs, i * kMs + kMs / 2, i % 2 == 0 ? trace::Kind::kBackward : trace::Kind::kForward);
        r.lane = trace::laneOf(DeviceId(i % 2), trace::LaneRole::kCompute);
        r.stage = StageId(i % 5);
        r.microbatch = MicrobatchId(i % 3);
        r.step = i / 10;
        records.push_back(r);
    }
    records[30].kind = trace::Kind::kWait;
    records[30].reason = trace::IdleReason::kWeights;
    store.append(records);
    const auto next = [trace = store.snapshot()](const SliceFilter& filter, int64_t timeNs, bool forwards,
                                                 LaneId onlyLane = {}) {
        const auto found = nextMatch(trace, filter, {timeNs, forwards, onlyLane}, {});
        return found ? found->startNs / kMs : -1;
    };
    EXPECT_EQ(next(SliceFilter("backward S3"), 0, true), 8);
    EXPECT_EQ(next(SliceFilter("BACK s3 m0"), 8 * kMs, true), 18);
    EXPECT_EQ(next(SliceFilter("step 4"), 0, true), 30);
    EXPECT_EQ(next(SliceFilter("waits for weights"), 0, true), 30);
    EXPECT_EQ(next(SliceFilter("waits for packet"), 0, true), -1);
    EXPECT_EQ(next(SliceFilter("forward"), 20 * kMs, false), 19);
    EXPECT_EQ(next(SliceFilter(""), 20 * kMs, true, LaneId(0)), 22);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_FALSE(nextMatch(store.snapshot(), SliceFilter("step 4"), {}, stopped.get_token())) << "it was not wanted";
    EXPECT_TRUE(SliceFilter("  ").empty());
    SliceNames german;
    german.kinds[static_cast<std::size_t>(trace::Kind::kBackward)] = "rückwärts";
    german.waits[static_cast<std::size_t>(trace::IdleReason::kWeights)] = "wartet auf gewichte";
    german.step = "schritt";
    EXPECT_EQ(next(SliceFilter("rückwärts S3", german), 0, true), 8);
    EXPECT_EQ(next(SliceFilter("backward S3", german), 0, true), 8);
    EXPECT_EQ(next(SliceFilter("wartet schritt 4", german), 0, true), 30);
}

TEST(PlannedSteps, lieBelowTheStepsOfTheRun) {
    const std::vector<trace::Lane> lanes = trace::makeLanes({"cpu:0"});
    const LaneId compute = lanes[0].id;
    const LaneId steps = trace::hostLane(1, trace::LaneRole::kSession);
    std::vector<trace::Record> records;
    const auto add = [&](trace::Kind kind, LaneId lane, int32_t step, int64_t from, int64_t to) {
        records.push_back(slice(from * kMs, to * kMs, kind));
        records.back().lane = lane;
        records.back().step = step;
    };
    for (int32_t step = 0; step < 3; ++step) {
        add(trace::Kind::kStep, steps, step, step * 100, step * 100 + 100);
        add(trace::Kind::kForward, compute, step, step * 100 + 40, step * 100 + 90);
        add(trace::Kind::kUploadWeights, lanes[1].id, step, step * 100 - 10, step * 100 + 20); // loaded ahead
        add(trace::Kind::kWait, compute, step, step * 100, step * 100 + 40);
    }
    const PlannedSteps planned(lanes, records, 100 * kMs, 200 * kMs);
    EXPECT_TRUE(planned.isOf(lanes));
    EXPECT_FALSE(planned.isOf(trace::makeLanes({"cpu:0", "cpu:1"})));
    for (const int32_t step : {0, 7}) { // any step is like the one that is steady
        ASSERT_EQ(planned.slices(compute, {step, 0, 0}).size(), 1U) << "waits are none";
        EXPECT_EQ(planned.slices(compute, {step, 0, 0})[0].startNs, 40 * kMs);
        ASSERT_EQ(planned.slices(lanes[1].id, {step, 0, 0}).size(), 1U);
        EXPECT_EQ(planned.slices(lanes[1].id, {step, 0, 0})[0].startNs, -10 * kMs);
    }
    const PlannedSteps turns(lanes, records, 0, 200 * kMs); // steps that flow into each other
    EXPECT_EQ(turns.slices(lanes[1].id, {1, 0, 0})[0].step, 1);
    EXPECT_EQ(turns.slices(lanes[1].id, {4, 0, 0})[0].step, 0);

    trace::LaneStore store(lanes, 0);
    store.append(records);
    Viewport view;
    view.setWidth(1000);
    view.setBounds(0, 300 * kMs);
    view.show(110 * kMs, 190 * kMs);
    const auto shown = stepsOnShow(store, view, true);
    ASSERT_EQ(shown.size(), 4U) << "the one before, the one after, and the one under way";
    EXPECT_EQ(shown[1].beginNs, 100 * kMs);
    EXPECT_EQ(shown[3].step, 3);
    EXPECT_EQ(shown[3].beginNs, 300 * kMs);
    EXPECT_EQ(stepsOnShow(store, view, false).size(), 3U);
    view.setWidth(50);
    view.show(0, 300 * kMs);
    EXPECT_TRUE(stepsOnShow(store, view, true).empty()) << "too narrow";
}

// With three slots on two devices, every other step begins on the other device.
TEST(PlannedSteps, areTurnedAsTheRunDealsItsSlots) {
    const std::vector<trace::Lane> lanes = trace::makeLanes({"cpu:0", "cpu:1"});
    std::vector<trace::Record> records;
    const auto addStep = [&](int32_t step, std::array<int32_t, 3> devices) {
        records.push_back(slice(step * 100 * kMs, step * 100 * kMs + 90 * kMs, trace::Kind::kStep));
        records.back().lane = trace::hostLane(2, trace::LaneRole::kSession);
        records.back().step = step;
        for (int32_t slot = 0; slot < 3; ++slot) {
            const int64_t from = (step * 100 + slot * 30) * kMs;
            records.push_back(slice(from, from + 20 * kMs, trace::Kind::kForward));
            records.back().lane =
                trace::laneOf(DeviceId(devices[static_cast<std::size_t>(slot)]), trace::LaneRole::kCompute);
            records.back().step = step;
            records.back().slot = slot;
        }
    };
    addStep(0, {0, 1, 0});
    addStep(1, {1, 0, 1});
    addStep(2, {0, 0, 1}); // dealt otherwise
    trace::LaneStore run(lanes, 0);
    run.append(records);
    const PlannedSteps planned(lanes, records, 0, 1);
    EXPECT_EQ(planned.turnOf(run, {0, 0, 0}), 0);
    EXPECT_EQ(planned.turnOf(run, {1, 100 * kMs, 0}), 1);
    EXPECT_EQ(planned.turnOf(run, {2, 200 * kMs, 0}), std::nullopt);
    EXPECT_EQ(planned.turnOf(run, {3, 300 * kMs, 0}), std::nullopt) << "nothing of it has ended yet";
    const LaneId first = trace::laneOf(DeviceId(0), trace::LaneRole::kCompute);
    EXPECT_EQ(planned.slices(first, {0, 0, 0}).size(), 2U);
    ASSERT_EQ(planned.slices(first, {1, 100 * kMs, 1}).size(), 1U);
    EXPECT_EQ(planned.slices(first, {1, 100 * kMs, 1})[0].slot, 1);
}

TEST(MicrobatchWay, addsUpStopsAndWhatTheyWaited) {
    trace::MicrobatchFlow flow;
    const auto add = [&](trace::Kind kind, int32_t slot, int64_t from, int64_t to) {
        trace::Record r = slice(from, to, kind);
        r.slot = slot;
        flow.slices.push_back(r);
    };
    add(trace::Kind::kForward, 0, 0, 10);
    add(trace::Kind::kDownloadActivation, 0, 10, 12);
    add(trace::Kind::kUploadActivation, 1, 12, 15);
    add(trace::Kind::kForward, 1, 20, 25); // cut by a wait
    add(trace::Kind::kForward, 1, 30, 35);
    flow.links = {{0, 1}, {1, 2}, {2, 3}};
    const auto way = wayOf(flow);
    ASSERT_EQ(way.size(), 2U);
    EXPECT_EQ(way[1].slice, 4U);
    EXPECT_EQ(way[1].computedNs, 10);
    EXPECT_EQ(way[1].waitedNs, 10);
    const auto links = stageLinksOf(flow);
    ASSERT_EQ(links.size(), 1U);
    EXPECT_EQ(links[0].from, 0U);
    EXPECT_EQ(links[0].to, 3U);
}

TEST(LaneGeometry, barsWhereSlicesAreWideColumnsWhereTheyAreNot) {
    trace::LaneStore store(trace::makeLanes({"cpu:0"}), 0);
    std::vector<trace::Record> records;
    for (int i = 0; i < 10'000; ++i)
        records.push_back(slice(i * kMs, i * kMs + kMs / 2));
    store.append(records);
    LaneGeometry geometry;
    Viewport view = viewOf(0, 10 * kSecond, 1000);
    buildLaneGeometry(store, LaneId(0), view, 2000, geometry);
    EXPECT_TRUE(geometry.folded);
    EXPECT_EQ(geometry.columns.size(), 2000U);

    view.show(100 * kMs, 120 * kMs);
    buildLaneGeometry(store, LaneId(0), view, 2000, geometry);
    EXPECT_FALSE(geometry.folded);
    ASSERT_EQ(geometry.bars.size(), 20U);
    for (std::size_t i = 0; i < geometry.bars.size(); ++i) {
        EXPECT_EQ(geometry.bars[i].slice, 100 + i);
        EXPECT_NEAR(geometry.bars[i].left, 50.0 * static_cast<double>(i), 1.0);
        EXPECT_NEAR(geometry.bars[i].right - geometry.bars[i].left, 25, 1);
    }
}

TEST(LaneGeometry, aSliceThatCoversTheViewIsClippedToIt) {
    trace::LaneStore store(trace::makeLanes({"cpu:0"}), 0);
    store.append(std::vector{slice(0, 1000 * kSecond)});
    Viewport view = viewOf(0, 1000 * kSecond, 1000);
    view.show(500 * kSecond, 500 * kSecond + Viewport::kMinSpanNs);
    LaneGeometry geometry;
    buildLaneGeometry(store, LaneId(0), view, 1000, geometry);
    ASSERT_EQ(geometry.bars.size(), 1U);
    EXPECT_LE(geometry.bars[0].left, 0);
    EXPECT_GE(geometry.bars[0].right, 1000);
    EXPECT_LE(geometry.bars[0].right, 1010);
}

TEST(HitTest, findsTheInnermostSliceAndTheLongestOfACrowd) {
    trace::SliceList slices;
    slices.insert(slice(0, 100 * kMs, trace::Kind::kStep));
    slices.insert(slice(40 * kMs, 60 * kMs));
    EXPECT_EQ(slices[sliceAt(slices, 50 * kMs, kMs)->slice].startNs, 40 * kMs);
    EXPECT_EQ(slices[sliceAt(slices, 20 * kMs, kMs)->slice].startNs, 0);
    EXPECT_FALSE(sliceAt(slices, 150 * kMs, kMs).has_value());
    EXPECT_TRUE(sliceAt(slices, 100 * kMs + kMs / 2, kMs).has_value()) << "just beside it still counts";

    trace::SliceList crowd;
    for (int i = 0; i < 100; ++i)
        crowd.insert(slice(i * 1000, i * 1000 + (i == 42 ? 900 : 500)));
    const auto hit = sliceAt(crowd, 50'000, 50'000);
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->slice, 42U);
    EXPECT_GE(hit->numSlices, 99U);
}

} // namespace
} // namespace roundpipe::ui::timeline
