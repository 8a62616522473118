#include "trace/statistics.h"

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

LaneStore twoDevices() {
    LaneStore store(makeLanes({"GPU \"A\", left", "GPU 1"}), 0);
    const LaneId compute = laneOf(DeviceId(0), LaneRole::kCompute);
    const LaneId weights = laneOf(DeviceId(0), LaneRole::kWeightsUp);
    const LaneId down = laneOf(DeviceId(0), LaneRole::kGradientsDown);
    store.append(std::vector{slice(compute, Kind::kForward, 0, 100), slice(compute, Kind::kBackward, 100, 300, 0, 1),
                             slice(compute, Kind::kForward, 250, 350, 0, 2), // overlaps the one before
                             slice(compute, Kind::kWait, 350, 1000), slice(weights, Kind::kUploadWeights, 0, 400, 4000),
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

TEST(Statistics, csvHasARowPerDeviceAndKind) {
    std::istringstream csv(toCsv(statisticsOf(twoDevices(), 0, 1000)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(csv, line);)
        lines.push_back(line);
    ASSERT_EQ(lines.size(), 1U + 2U + 6U);
    EXPECT_TRUE(lines[1].starts_with("device,\"GPU \"\"A\"\", left\",")) << lines[1];
    EXPECT_TRUE(lines[1].ends_with(",35.000,65.000")) << lines[1];
    EXPECT_TRUE(lines[3].starts_with("kind,forward,2,")) << lines[3];
    for (std::size_t i = 3; i < lines.size(); ++i)
        EXPECT_EQ(std::count(lines[i].begin(), lines[i].end(), ','), 10) << lines[i];
}

} // namespace
} // namespace roundpipe::trace
