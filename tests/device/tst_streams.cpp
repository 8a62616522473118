// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "device/cpu_device.h"
#include "device/streams/deferred_copies.h"
#include "geometry/pieces.h"
#include "geometry/workspace.h"
#include "trace/recording/stream_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <set>
#include <thread>

namespace roundpipe::device {
namespace {

using trace::LaneRole;
using namespace std::chrono_literals;

TEST(CpuStream, runsInOrderAndReturnsBeforeTheWorkHasRun) {
    const auto device = makeCpuDevice(DeviceId(0), {});
    Stream& stream = device->stream(LaneRole::kCompute);
    std::vector<int> order;
    stream.launch([] { std::this_thread::sleep_for(20ms); });
    for (int i = 0; i < 100; ++i)
        stream.launch([&order, i] { order.push_back(i); });
    const Event end = stream.record();
    EXPECT_FALSE(end.ready());
    end.synchronize();
    EXPECT_TRUE(end.ready());
    ASSERT_EQ(order.size(), 100u);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(CpuStream, waitsForAnotherDevicesEventWhileItsNeighboursGoOn) {
    const auto first = makeCpuDevice(DeviceId(0), {});
    const auto second = makeCpuDevice(DeviceId(1), {});
    std::atomic<bool> open{false};
    int value = 0;
    first->stream(LaneRole::kCompute).launch([&] {
        while (!open)
            std::this_thread::sleep_for(1ms);
        value = 7;
    });
    second->stream(LaneRole::kWeightsUp).wait(first->stream(LaneRole::kCompute).record(), Awaited::kInTurns);
    int seen = 0;
    second->stream(LaneRole::kWeightsUp).copy(&seen, &value, sizeof value);
    const Event copied = second->stream(LaneRole::kWeightsUp).record();
    second->stream(LaneRole::kCompute).synchronize(); // is not behind the wait
    EXPECT_FALSE(copied.ready());
    open = true;
    copied.synchronize();
    EXPECT_EQ(seen, 7);
}

TEST(CpuStream, copiesLastAsLongAsOnTheLinkThatItActsAs) {
    DeviceLimits limits;
    limits.upBytesPerSecond = 100e6;
    const auto device = makeCpuDevice(DeviceId(0), {}, limits);
    std::vector<std::byte> from(5'000'000, std::byte{3}), to(from.size()), other(from.size());
    const auto bytes = static_cast<int64_t>(from.size());
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] { return std::chrono::steady_clock::now() - begin; };
    device->stream(LaneRole::kGradientsDown).copy(other.data(), from.data(), bytes);
    device->stream(LaneRole::kGradientsDown).synchronize();
    device->stream(LaneRole::kWeightsUp).copy(to.data(), from.data(), bytes);
    device->stream(LaneRole::kActivationsUp).copy(other.data(), from.data(), bytes);
    device->stream(LaneRole::kWeightsUp).synchronize();
    device->stream(LaneRole::kActivationsUp).synchronize();
    EXPECT_GE(elapsed(), 100ms) << "both streams share the link: 50 ms each";
    EXPECT_EQ(to, from);
    EXPECT_EQ(other, from);
}

// Four pieces in three shares: two, one and one; steps keep their place among them.
TEST(DeferredCopies, goInSharesBehindWhatIsUrgent) {
    std::mutex mutex;
    std::vector<std::string> order;
    const auto note = [&](const std::string& what) {
        const std::scoped_lock lock(mutex);
        order.push_back(what);
    };
    DeviceContext context;
    context.onSpan = [&](const trace::Record& span) {
        note("layer " + std::to_string(span.layer.value) + ": " + std::to_string(span.bytes));
    };
    const auto device = makeCpuDevice(DeviceId(0), context);
    Stream& stream = device->stream(LaneRole::kGradientsDown);
    Stream& urgent = device->stream(LaneRole::kActivationsDown);
    std::vector<std::byte> from(static_cast<std::size_t>(geometry::kPieceBytes + 5)), to(from.size());
    from.back() = std::byte{7};
    std::promise<void> packetLands;
    urgent.launch([&] { packetLands.get_future().wait(); });

    DeferredCopies copies(stream);
    for (int layer = 1; layer <= 3; ++layer) {
        trace::Record what;
        what.layer = LayerId(layer);
        copies.addStep([&, layer] { note("before " + std::to_string(layer)); });
        copies.addCopy(to.data(), from.data(), layer == 2 ? std::ssize(from) : 5, what);
    }
    copies.addStep([&] { note("after all"); });
    stream.synchronize();
    EXPECT_TRUE(order.empty()) << "nothing goes before its share";
    copies.issueShare(3, urgent);
    std::this_thread::sleep_for(20ms);
    const std::vector<std::string> steps{"before 1", "before 2"};
    EXPECT_EQ(order, steps) << "the packet goes first";
    packetLands.set_value();
    stream.synchronize();
    const std::vector<std::string> firstShare{"before 1", "before 2", "layer 1: 5", "layer 2: 16777216"};
    EXPECT_EQ(order, firstShare);
    copies.issueShare(2, urgent);
    stream.synchronize();
    EXPECT_EQ(order.back(), "layer 2: 5");
    EXPECT_EQ(to.back(), std::byte{7}) << "the end of what was cut";
    copies.issueShare(1, urgent);
    stream.synchronize();
    const std::set<std::string> lastShare(order.end() - 3, order.end()); // steps are done as they are issued
    EXPECT_EQ(lastShare, (std::set<std::string>{"before 3", "layer 3: 5", "after all"}));
    copies.issueShare(1, urgent);
    copies.issueAll();
    stream.synchronize();
    EXPECT_EQ(order.size(), 8u) << "once";
}

TEST(CpuStream, aSpanBecomesARecordWithTrueTimes) {
    trace::Recorder recorder;
    DeviceContext context;
    context.recorder = &recorder;
    const auto device = makeCpuDevice(DeviceId(2), context);
    Stream& stream = device->stream(LaneRole::kActivationsUp);
    trace::Record what;
    what.kind = trace::Kind::kUploadActivation;
    what.layer = LayerId(3);
    std::vector<std::byte> from(1000, std::byte{9});
    std::vector<std::byte> to(1000);
    stream.launch([] { std::this_thread::sleep_for(5ms); });
    stream.copy(to.data(), from.data(), 1000, what);
    stream.synchronize();
    EXPECT_EQ(to, from);
    std::vector<trace::Record> records;
    recorder.drain(records);
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].lane, trace::laneOf(DeviceId(2), LaneRole::kActivationsUp));
    EXPECT_EQ(records[0].bytes, 1000);
    EXPECT_EQ(records[0].layer, LayerId(3));
    EXPECT_GE(records[0].startNs - records[0].queuedNs, 3'000'000);
    EXPECT_GE(records[0].endNs, records[0].startNs);
}

TEST(CpuStream, aWaitOfItsHostCutsASpan) {
    trace::Recorder recorder;
    DeviceContext context;
    context.recorder = &recorder;
    const auto device = makeCpuDevice(DeviceId(0), context);
    Stream& stream = device->stream(LaneRole::kCompute);
    stream.openSpan({});
    stream.hostWaits();
    std::this_thread::sleep_for(20ms);
    stream.wait({}, Awaited::kInTurns);
    stream.closeSpan();
    stream.synchronize();
    std::vector<trace::Record> records;
    recorder.drain(records);
    ASSERT_EQ(records.size(), 2U);
    EXPECT_GE(records[1].startNs - records[0].endNs, 10'000'000);
}

TEST(CpuStream, aSpanIsSeenWhileItLasts) {
    trace::Recorder recorder;
    DeviceContext context;
    context.recorder = &recorder;
    const auto device = makeCpuDevice(DeviceId(0), context);
    Stream& stream = device->stream(LaneRole::kCompute);
    trace::Record what;
    what.stage = StageId(4);
    std::atomic<bool> goesOn = false;
    stream.openSpan(what);
    stream.launch([&] {
        while (!goesOn)
            std::this_thread::sleep_for(1ms);
    });
    stream.closeSpan();
    std::vector<trace::Record> begun;
    while (begun.empty())
        recorder.drainBegun(begun);
    EXPECT_EQ(begun[0].lane, trace::laneOf(DeviceId(0), LaneRole::kCompute));
    EXPECT_EQ(begun[0].stage, StageId(4));
    std::vector<trace::Record> ended;
    recorder.drain(ended);
    EXPECT_TRUE(ended.empty());
    goesOn = true;
    stream.synchronize();
    recorder.drain(ended);
    ASSERT_EQ(ended.size(), 1U);
    EXPECT_EQ(ended[0].startNs, begun[0].startNs);
}

TEST(CpuStream, afterAFaultWorkIsSkippedButEveryEventHappens) {
    const DeviceContext context;
    const auto device = makeCpuDevice(DeviceId(0), context);
    int calls = 0;
    context.fault->addListener([&calls] { ++calls; });
    Stream& stream = device->stream(LaneRole::kCompute);
    bool ran = false;
    stream.launch([] { throw invalidInput("first"); });
    stream.launch([&ran] { ran = true; });
    Stream& other = device->stream(LaneRole::kWeightsUp);
    other.wait(stream.record(), Awaited::kInTurns);
    other.synchronize();
    other.launch([] { throw invalidInput("second"); });
    device->drain();
    EXPECT_FALSE(ran);
    EXPECT_EQ(calls, 1);
    ASSERT_TRUE(context.fault->raised());
    try {
        std::rethrow_exception(context.fault->error());
    } catch (const Error& error) {
        EXPECT_EQ(error.message(), "first");
    }
    context.fault->addListener([&calls] { ++calls; }); // late: at once
    EXPECT_EQ(calls, 2);
}

TEST(CpuDevice, memoryIsAlignedAndCounted) {
    const auto device = makeCpuDevice(DeviceId(0), {});
    {
        const DeviceBuffer buffer = device->allocate(1000);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % geometry::kAlignmentBytes, 0u);
        EXPECT_EQ(device->allocatedBytes(), 1024);
    }
    EXPECT_EQ(device->allocatedBytes(), 0);
    EXPECT_EQ(device->numAllocations(), 1);
    try {
        device->allocate(int64_t{1} << 60);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
        EXPECT_NE(error.message().find("cpu:0"), std::string::npos);
    }
}

// A GPU's clock is read anew now and then, and two readings differ by microseconds.
TEST(StreamOrder, recordsOfAStreamNeverOverlap) {
    trace::StreamOrder order;
    const auto kept = [&](int64_t startNs, int64_t endNs) {
        trace::Record record;
        record.startNs = startNs;
        record.endNs = endNs;
        order.keep(record);
        return std::pair(record.startNs, record.endNs);
    };
    EXPECT_EQ(kept(100, 200), std::pair(int64_t{100}, int64_t{200}));
    EXPECT_EQ(kept(195, 300), std::pair(int64_t{200}, int64_t{300})) << "starts where the one before ended";
    EXPECT_EQ(kept(290, 295), std::pair(int64_t{300}, int64_t{300})) << "and has no negative length";
    EXPECT_EQ(kept(400, 500), std::pair(int64_t{400}, int64_t{500})) << "what is in order stays as it is";
}

} // namespace
} // namespace roundpipe::device
