// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recording/collector.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace roundpipe::trace {
namespace {

TEST(Ring, keepsOrderAcrossItsWrap) {
    Ring<int> ring(4);
    std::array<int, 3> out{};
    for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < 3; ++i)
            ASSERT_TRUE(ring.push(round * 3 + i));
        ASSERT_EQ(ring.pop(out), 3U);
        EXPECT_EQ(out, (std::array{round * 3, round * 3 + 1, round * 3 + 2}));
    }
}

TEST(Ring, countsWhatItDropsWhenFull) {
    Ring<int> ring(4);
    for (int i = 0; i < 7; ++i)
        ring.push(i);
    EXPECT_EQ(ring.numDropped(), 3U);
    std::array<int, 8> out{};
    ASSERT_EQ(ring.pop(out), 4U);
    EXPECT_EQ(out[3], 3) << "the oldest are kept";
}

TEST(Ring, losesAndTearsNothingBetweenTwoThreads) {
    constexpr int64_t kCount = 300'000;
    Ring<Record> ring(512);
    std::jthread producer([&] {
        for (int64_t i = 0; i < kCount;) {
            Record record;
            record.startNs = i;
            record.endNs = record.bytes = i * 3;
            if (ring.push(record)) ++i;
        }
    });
    std::array<Record, 100> out;
    int64_t next = 0;
    while (next < kCount) {
        const std::size_t count = ring.pop(out);
        for (std::size_t i = 0; i < count; ++i, ++next) {
            ASSERT_EQ(out[i].startNs, next);
            ASSERT_EQ(out[i].endNs, next * 3);
            ASSERT_EQ(out[i].bytes, next * 3);
        }
    }
}

TEST(Collector, deliversEveryRecordOfManyProducersOnce) {
    constexpr int kProducers = 4;
    constexpr int kEach = 20'000;
    Recorder recorder;
    std::size_t seenBySink = 0;
    std::vector<Record> taken;
    {
        Collector collector(
            recorder, [&](std::span<const Record> batch) { seenBySink += batch.size(); }, std::chrono::milliseconds(1));
        {
            std::vector<std::jthread> threads;
            for (int p = 0; p < kProducers; ++p)
                threads.emplace_back([&recorder, p] {
                    Producer& producer = recorder.addProducer(1 << 15);
                    for (int i = 0; i < kEach; ++i) {
                        Record record;
                        record.lane = LaneId(p);
                        record.startNs = i;
                        producer.put(record);
                    }
                });
            for (int i = 0; i < 50; ++i)
                collector.take(taken);
        }
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (taken.size() < kProducers * kEach && std::chrono::steady_clock::now() < deadline) {
            collector.take(taken);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_EQ(collector.numDropped(), 0U);
    }
    ASSERT_EQ(taken.size(), static_cast<std::size_t>(kProducers * kEach));
    EXPECT_EQ(seenBySink, taken.size());
    std::array<int64_t, kProducers> next{};
    for (const Record& record : taken)
        ASSERT_EQ(record.startNs, next[record.lane.index()]++) << "each producer's records keep their order";
}

Record sliceOf(int32_t lane, int64_t startNs, int64_t endNs = 0) {
    Record record;
    record.lane = LaneId(lane);
    record.startNs = startNs;
    record.endNs = endNs;
    return record;
}

TEST(OpenSlices, areThoseThatHaveBegunAndNotEnded) {
    OpenSlices open;
    open.begun(std::array{sliceOf(2, 10), sliceOf(0, 20), Record{}});
    ASSERT_EQ(open.all().size(), 2U) << "in the order of lanes; what has no lane is left out";
    EXPECT_EQ(open.all()[0].startNs, 20);
    EXPECT_EQ(open.all()[1].startNs, 10);
    open.ended(std::array{sliceOf(0, 5, 15)});
    EXPECT_EQ(open.all().size(), 2U) << "the one before";
    open.begun(std::array{sliceOf(2, 30)});
    open.ended(std::array{sliceOf(2, 10, 30), sliceOf(0, 20, 25)});
    ASSERT_EQ(open.all().size(), 1U) << "the next one of the lane is open already";
    EXPECT_EQ(open.all()[0].startNs, 30);
    open.ended(std::array{sliceOf(0, 40, 50)});
    open.begun(std::array{sliceOf(0, 40)});
    EXPECT_EQ(open.all().size(), 1U) << "its end came first";
}

TEST(Collector, tellsWhatIsOpenAndKeepsItOutOfTheRecords) {
    Recorder recorder;
    Producer& producer = recorder.addProducer();
    std::size_t seen = 0;
    Collector collector(
        recorder, [&](std::span<const Record> batch) { seen += batch.size(); }, std::chrono::milliseconds(60'000));
    producer.begin(sliceOf(1, 7));
    collector.flush();
    ASSERT_EQ(collector.openSlices().size(), 1U);
    EXPECT_EQ(collector.openSlices()[0].startNs, 7);
    EXPECT_EQ(seen, 0U);
    for (int64_t i = 0; i < 1000; ++i) // more than its ring holds: nothing else is lost for it
        producer.begin(sliceOf(2, i));
    producer.put(sliceOf(1, 7, 9));
    collector.flush();
    ASSERT_EQ(collector.openSlices().size(), 1U);
    EXPECT_EQ(collector.openSlices()[0].lane, LaneId(2));
    EXPECT_EQ(seen, 1U);
    EXPECT_EQ(collector.numDropped(), 0U);
    collector.beginRun();
    EXPECT_TRUE(collector.openSlices().empty());
}

TEST(Collector, drainsWhatIsLeftWhenItEnds) {
    Recorder recorder;
    Producer& producer = recorder.addProducer();
    std::size_t seen = 0;
    {
        const Collector collector(
            recorder, [&](std::span<const Record> batch) { seen += batch.size(); }, std::chrono::milliseconds(60'000));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (int i = 0; i < 10; ++i)
            producer.put({});
    }
    EXPECT_EQ(seen, 10U);
}

} // namespace
} // namespace roundpipe::trace
