// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/expect_error.h"
#include "trace/files/timeline_svg.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roundpipe::trace {
namespace {

constexpr int64_t kMs = 1'000'000;

Record record(Kind kind, LaneId lane, int64_t startMs, int64_t endMs, int32_t stage = -1) {
    Record r;
    r.kind = kind;
    r.lane = lane;
    r.startNs = startMs * kMs;
    r.endNs = endMs * kMs;
    r.stage = StageId(stage);
    return r;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

class TimelineSvg : public ::testing::Test {
protected:
    std::vector<Lane> lanes = makeLanes({"GPU 0", "GPU 1"});
    LaneId compute0 = laneOf(DeviceId(0), LaneRole::kCompute);
    LaneId compute1 = laneOf(DeviceId(1), LaneRole::kCompute);
    LaneId weights0 = laneOf(DeviceId(0), LaneRole::kWeightsUp);
    std::vector<Record> records = {
        record(Kind::kForward, compute0, 0, 100, 7), record(Kind::kForward, compute0, 100, 200, 7),
        record(Kind::kBackward, compute1, 200, 400, 8), record(Kind::kUploadWeights, weights0, 50, 90)};
};

TEST_F(TimelineSvg, showsSlicesStagesFactsAndTheShareOfBusyTime) {
    const std::string svg = timelineSvg(records, lanes, {"Qwen3 <tiny> & co", {"0.4 s a step", "bubble 50 %"}});
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(svg.find("<tiny>"), std::string::npos);
    for (const char* part : {"Qwen3 &lt;tiny&gt; &amp; co", "0.4 s a step   ·   bubble 50 %", ">GPU 0<", ">GPU 1<",
                             ">weights up<", ">50.0 %<", ">ms<", "backward, stage 8, 200 ms"})
        EXPECT_NE(svg.find(part), std::string::npos) << part;
    EXPECT_EQ(count(svg, ">7<"), 1u) << "one number a turn, not one a microbatch";
    EXPECT_EQ(count(svg, "<title>"), 4u);
}

TEST_F(TimelineSvg, allDevicesHaveTheRowsThatOneNeeds) {
    const std::string svg = timelineSvg(records, lanes);
    EXPECT_EQ(count(svg, ">weights up<"), 3u) << "two rows and the legend";
    EXPECT_EQ(count(svg, "gradients down"), 0u);
}

TEST_F(TimelineSvg, showsOnlyTheWindow) {
    TimelineSvgOptions options;
    options.fromNs = 150 * kMs;
    options.toNs = 190 * kMs;
    const std::string svg = timelineSvg(records, lanes, options);
    EXPECT_EQ(count(svg, "<title>"), 1u);
    EXPECT_NE(svg.find(">100.0 %<"), std::string::npos);
    EXPECT_NE(svg.find(">0.0 %<"), std::string::npos);
}

TEST_F(TimelineSvg, stepsAreMarkedAndDoNotWidenThePicture) {
    records.push_back(record(Kind::kStep, hostLane(2, LaneRole::kSession), 0, 9000));
    records.back().step = 3;
    const std::string svg = timelineSvg(records, lanes);
    EXPECT_NE(svg.find(">step 4<"), std::string::npos);
    EXPECT_NE(svg.find(">400<"), std::string::npos);
    EXPECT_EQ(svg.find(">9000<"), std::string::npos);
}

TEST_F(TimelineSvg, waitsAreHatchedByTheirReasonAndAreNotBusy) {
    Record wait = record(Kind::kWait, compute0, 200, 400);
    wait.reason = IdleReason::kWeights;
    records.push_back(wait);
    const std::string svg = timelineSvg(records, lanes);
    EXPECT_NE(svg.find("fill=\"url(#wait-weights)\""), std::string::npos);
    EXPECT_NE(svg.find("waiting (weights)"), std::string::npos);
    EXPECT_EQ(count(svg, ">50.0 %<"), 2u) << "of both devices: the wait is not computing";
}

TEST_F(TimelineSvg, thinNeighboursBecomeOneSlice) {
    records.clear();
    for (int64_t i = 0; i < 100'000; ++i)
        records.push_back(record(Kind::kForward, compute0, i, i + 1, 0));
    EXPECT_LT(count(timelineSvg(records, lanes), "<title>"), 2000u);
}

TEST_F(TimelineSvg, anEmptyStretchIsRefused) {
    testing::expectError(ErrorKind::kInvalidInput, {"Nothing"}, [&] { timelineSvg({}, lanes); });
    TimelineSvgOptions options;
    options.fromNs = 500 * kMs;
    options.toNs = 600 * kMs;
    testing::expectError(ErrorKind::kInvalidInput, {"Nothing"}, [&] { timelineSvg(records, lanes, options); });
}

} // namespace
} // namespace roundpipe::trace
