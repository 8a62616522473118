// SPDX-License-Identifier: GPL-3.0-or-later
// What of a log is a race: accesses to the same memory, one of them a write, without an order between them.
#include "device/cpu_device.h"
#include "device/order/races.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace roundpipe::device {
namespace {

using trace::LaneRole;

// A CPU worker that is logged, and memory for its streams to use.
class Races : public ::testing::Test {
protected:
    Stream& compute() { return m_device->stream(LaneRole::kCompute); }
    Stream& up() { return m_device->stream(LaneRole::kWeightsUp); }
    Stream& down() { return m_device->stream(LaneRole::kGradientsDown); }
    HostNotes host() const { return m_device->notes(); }
    std::size_t numRaces(std::optional<Awaited> leftOut = {}) const { return racesIn(m_log, leftOut).size(); }

    OrderLog m_log;
    std::array<std::byte, 64> m_memory{};
    std::byte* m_data = m_memory.data();

private:
    DeviceContext context() {
        DeviceContext context;
        context.order = &m_log;
        return context;
    }
    std::unique_ptr<Device> m_device = makeCpuDevice(DeviceId(0), context());
};

TEST_F(Races, aReadIsOrderedBehindAWriteByItsEvent) {
    up().writes(m_data, 16, "weights");
    compute().wait(up().record(), Awaited::kWeightsLanded);
    compute().reads(m_data, 16, "weights");
    EXPECT_EQ(numRaces(), 0u);
    EXPECT_EQ(numRaces(Awaited::kPacketLanded), 0u);
    EXPECT_EQ(numRaces(Awaited::kWeightsLanded), 1u);
}

TEST_F(Races, anEventCoversWhatWasIssuedBeforeItAlone) {
    const Event early = up().record();
    up().writes(m_data, 16, "weights");
    compute().wait(early, Awaited::kWeightsLanded);
    compute().reads(m_data, 16, "weights");
    EXPECT_EQ(numRaces(), 1u);
}

TEST_F(Races, aWriteIsToComeBehindEveryReader) {
    compute().reads(m_data, 16, "a packet");
    down().reads(m_data, 16, "a packet");
    up().wait(compute().record(), Awaited::kPacketUsed);
    up().writes(m_data, 16, "a packet");
    ASSERT_EQ(numRaces(), 1u);
    const Race race = racesIn(m_log).front();
    EXPECT_EQ(race.first, "device 0, gradients down reads a packet (16 bytes)");
    EXPECT_EQ(race.second, "device 0, weights up writes a packet (16 bytes)");
}

TEST_F(Races, twoWritesRaceAndTwoReadsDoNot) {
    compute().reads(m_data, 16, "a packet");
    down().reads(m_data, 16, "a packet");
    EXPECT_EQ(numRaces(), 0u);
    compute().writes(m_data + 32, 16, "a packet");
    down().writes(m_data + 32, 16, "a packet");
    EXPECT_EQ(numRaces(), 1u);
}

TEST_F(Races, oneByteInCommonIsEnough) {
    up().writes(m_data, 16, "weights");
    up().writes(m_data + 24, 16, "weights");
    compute().reads(m_data + 16, 8, "what lies between");
    EXPECT_EQ(numRaces(), 0u);
    compute().reads(m_data + 15, 2, "their edge");
    EXPECT_EQ(numRaces(), 1u);
    compute().reads(m_data, 64, "all"); // two writes that read alike are named once
    EXPECT_EQ(numRaces(), 2u);
}

// Memory that was written in parts by several is used as a whole by another.
TEST_F(Races, partsKeepTheirOwnOrder) {
    up().writes(m_data, 32, "both halves");
    down().wait(up().record(), Awaited::kPacketWritten);
    down().writes(m_data + 16, 16, "the second half");
    compute().wait(up().record(), Awaited::kWeightsLanded);
    compute().reads(m_data, 16, "the first half");
    EXPECT_EQ(numRaces(), 0u);
    compute().reads(m_data, 32, "both halves");
    EXPECT_EQ(numRaces(), 1u);
}

TEST_F(Races, orderIsHandedOn) {
    up().writes(m_data, 16, "weights");
    compute().wait(up().record(), Awaited::kWeightsLanded);
    down().wait(compute().record(), Awaited::kGradientsMade);
    down().reads(m_data, 16, "weights");
    EXPECT_EQ(numRaces(), 0u);
    EXPECT_EQ(numRaces(Awaited::kWeightsLanded), 1u);
    EXPECT_EQ(numRaces(Awaited::kGradientsMade), 1u);
}

TEST_F(Races, copiesAreAccessesOfBothSides) {
    const std::byte source[16] = {};
    up().copy(m_data, source, 16);
    down().copy(m_data + 32, m_data, 16);
    ASSERT_EQ(numRaces(), 1u);
    EXPECT_EQ(racesIn(m_log).front().second, "device 0, gradients down reads what it copies (16 bytes)");
}

TEST_F(Races, aSpanNamesWhatIsIssuedWithinIt) {
    trace::Record what;
    what.kind = trace::Kind::kFused;
    what.step = 3;
    what.slot = 5;
    what.microbatch = MicrobatchId(2);
    compute().openSpan(what);
    compute().writes(m_data, 16, "gradients");
    compute().closeSpan();
    down().reads(m_data, 16, "gradients");
    ASSERT_EQ(numRaces(), 1u);
    EXPECT_EQ(racesIn(m_log).front().first,
              "device 0, compute writes gradients (16 bytes), fused in step 3, slot 5, microbatch 2");
}

TEST_F(Races, nothingRestsOnAWaitForThePace) {
    up().writes(m_data, 16, "weights");
    compute().wait(up().record(), Awaited::kPacketsFirst);
    compute().reads(m_data, 16, "weights");
    EXPECT_EQ(numRaces(), 1u);
}

TEST_F(Races, whatAHostThreadDidComesBeforeWhatItIssues) {
    host().writes(m_data, 16, "batches");
    up().reads(m_data, 16, "batches");
    EXPECT_EQ(numRaces(), 0u);
    host().writes(m_data, 16, "batches"); // while the stream may still read
    EXPECT_EQ(numRaces(), 1u);
}

TEST_F(Races, aHostThreadIsOrderedBehindAnEventThatItAwaited) {
    down().writes(m_data, 16, "gradients");
    const Event written = down().record();
    written.synchronize();
    written.awaited(Awaited::kGradientsArrived);
    host().reads(m_data, 16, "gradients");
    EXPECT_EQ(numRaces(), 0u);
    EXPECT_EQ(numRaces(Awaited::kGradientsArrived), 1u);
}

TEST_F(Races, hostThreadsAreOrderedByWhatTheyAwaitOfEachOther) {
    std::thread([&] {
        host().isThread("the optimizer");
        host().writes(m_data, 16, "a version");
        host().happened(Awaited::kVersionPublished, m_data, 1);
    }).join();                                             // which the log does not see
    host().awaited(Awaited::kVersionPublished, m_data, 0); // that nobody noted
    host().awaited(Awaited::kVersionPublished, m_data, 1);
    up().reads(m_data, 16, "a version");
    EXPECT_EQ(numRaces(), 0u);
    ASSERT_EQ(numRaces(Awaited::kVersionPublished), 1u);
    EXPECT_EQ(racesIn(m_log, Awaited::kVersionPublished).front().first, "the optimizer writes a version (16 bytes)");
}

TEST_F(Races, whatIsHandedOverMustBeThere) {
    std::thread([&] { host().happened(Awaited::kPacketPosted, m_data); }).join();
    host().awaited(Awaited::kPacketPosted, m_data);
    EXPECT_EQ(numRaces(), 0u);
    EXPECT_EQ(numRaces(Awaited::kPacketPosted), 1u);
}

TEST_F(Races, noMoreAreNamedThanAskedFor) {
    for (int i = 0; i < 4; ++i) {
        up().writes(m_data + 16 * i, 8 + i, "weights");
        compute().reads(m_data + 16 * i, 8, "weights");
    }
    EXPECT_EQ(racesIn(m_log, {}, 3).size(), 3u);
    EXPECT_EQ(racesIn(m_log, {}, 8).size(), 4u);
}

TEST(Awaited, standInTheOrderOfTheirNames) {
    for (std::size_t i = 0; i < kAllAwaited.size(); ++i)
        EXPECT_EQ(static_cast<std::size_t>(kAllAwaited[i].awaited), i);
    EXPECT_EQ(kAllAwaited.back().awaited, Awaited::kInTurns) << "the last one";
}

TEST(OrderLog, aDeviceThatIsNotLoggedHasItsOwnStreams) {
    const auto device = makeCpuDevice(DeviceId(0), {});
    EXPECT_FALSE(device->isLogged());
    const Event event = device->stream(LaneRole::kCompute).record();
    event.synchronize();
    // These note nothing.
    event.awaited(Awaited::kDownloadsDone);
    device->stream(LaneRole::kCompute).reads(&event, 1, "it");
    device->notes().writes(&event, 1, "it");
}

} // namespace
} // namespace roundpipe::device
