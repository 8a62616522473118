// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run/link_meter.h"

#include <gtest/gtest.h>

namespace roundpipe::session {
namespace {

using trace::LaneRole;

constexpr int64_t kSecond = 1'000'000'000;

trace::Record transfer(int32_t device, LaneRole role, int64_t startNs, int64_t endNs, int64_t bytes) {
    trace::Record record;
    record.lane = trace::laneOf(DeviceId(device), role);
    record.startNs = startNs;
    record.endNs = endNs;
    record.bytes = bytes;
    return record;
}

TEST(LinkMeter, addsUpWhatWentEachWayInTheLastSecond) {
    LinkMeter meter;
    const int64_t now = 50 * kSecond;
    meter.add(std::vector{transfer(0, LaneRole::kWeightsUp, now - 900, now - 800, 1000),
                          transfer(0, LaneRole::kActivationsUp, now - 700, now - 600, 200),
                          transfer(0, LaneRole::kActivationsDown, now - 700, now - 600, 30),
                          transfer(0, LaneRole::kGradientsDown, now - 500, now - 400, 4),
                          transfer(1, LaneRole::kWeightsUp, now - 900, now - 800, 77),
                          transfer(0, LaneRole::kCompute, now - 900, now - 800, 0)});
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(0), now).upBytesPerSecond, 1200);
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(0), now).downBytesPerSecond, 34);
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(1), now).upBytesPerSecond, 77);
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(2), now).upBytesPerSecond, 0);
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(0), now + 2 * kSecond).upBytesPerSecond, 0) << "a link at rest";
}

TEST(LinkMeter, takesOfALongTransferTheShareWithinTheSecond) {
    LinkMeter meter;
    meter.add(std::vector{transfer(0, LaneRole::kWeightsUp, 10 * kSecond, 14 * kSecond, 4000)});
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(0), 14 * kSecond).upBytesPerSecond, 1000);
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(0), 14 * kSecond + kSecond / 4).upBytesPerSecond, 750);
}

TEST(LinkMeter, forgetsWhatIsLongPast) {
    LinkMeter meter;
    for (int64_t t = 1; t <= 100; ++t) // one kilobyte a tenth of a second
        meter.add(std::vector{transfer(0, LaneRole::kGradientsDown, t * kSecond / 10, (t + 1) * kSecond / 10, 1000)});
    EXPECT_NEAR(meter.rates(DeviceId(0), 101 * kSecond / 10).downBytesPerSecond, 10'000, 1e-6);
    EXPECT_DOUBLE_EQ(meter.rates(DeviceId(0), 3 * kSecond).downBytesPerSecond, 0) << "no longer held";
}

} // namespace
} // namespace roundpipe::session
