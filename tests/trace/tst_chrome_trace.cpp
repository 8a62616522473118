// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "testing/fixtures.h"
#include "trace/files/chrome_trace.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace roundpipe::trace {
namespace {

using nlohmann::json;

Record slice(LaneId lane, Kind kind, int64_t startNs, int64_t endNs) {
    Record record;
    record.lane = lane;
    record.kind = kind;
    record.startNs = startNs;
    record.endNs = endNs;
    record.queuedNs = startNs - 1500;
    record.bytes = 7;
    record.step = 3;
    record.stage = StageId(2);
    record.microbatch = MicrobatchId(1);
    return record;
}

json exported(LaneStore& store) {
    const testing::TemporaryFolder folder;
    writeChromeTrace(store.snapshot(), folder.path() / "trace.json");
    return json::parse(readTextFile(folder.path() / "trace.json"));
}

constexpr int64_t kOrigin = 1'000'000'000'000;

TEST(ChromeTrace, namesProcessesAndLanesOnce) {
    const std::vector<std::string> devices = {"cpu:0", "a \"quoted\"\n\x01 name\xff"};
    LaneStore store(makeLanes(devices), kOrigin);
    const json trace = exported(store);
    std::map<int, std::string> processes;
    std::map<int, std::string> threads;
    for (const json& event : trace.at("traceEvents")) {
        ASSERT_EQ(event.at("ph"), "M");
        const bool process = event.at("name") == "process_name";
        if (!process && event.at("name") != "thread_name") continue;
        const int id = event.at(process ? "pid" : "tid");
        EXPECT_TRUE((process ? processes : threads).emplace(id, event.at("args").at("name")).second) << "named twice";
    }
    EXPECT_EQ(processes.size(), 3U);
    EXPECT_EQ(processes[1], "cpu:0");
    EXPECT_EQ(processes[1000], "Host");
    EXPECT_EQ(threads.size(), makeLanes(devices).size() - 3) << "memory is a counter, which has no thread";
    EXPECT_EQ(threads[0], "cpu:0 compute");
}

// Not every reader of JSON takes the last of several, or any.
TEST(ChromeTrace, saysEachFactUnderOneKey) {
    const testing::TemporaryFolder folder;
    LaneStore store(makeLanes({"a", "b"}), kOrigin,
                    {{}, {{"model", "tiny \xff"}, {"device", "0: a"}, {"device", "1: b"}, {"device", "2: c"}}});
    writeChromeTrace(store.snapshot(), folder.path() / "trace.json");
    const std::string text = readTextFile(folder.path() / "trace.json");
    EXPECT_EQ(text.find("\"device\""), text.rfind("\"device\""));
    const json facts = json::parse(text).at("otherData");
    EXPECT_EQ(facts.at("device"), json::array({"0: a", "1: b", "2: c"}));
    EXPECT_TRUE(facts.at("model").is_string());
}

TEST(ChromeTrace, writesTimesIdsAndBytes) {
    LaneStore store(makeLanes({"cpu:0"}), kOrigin);
    store.append(std::vector{slice(LaneId(0), Kind::kBackward, kOrigin + 1'234'567, kOrigin + 2'000'000)});
    const json trace = exported(store);
    const json& events = trace.at("traceEvents");
    const auto found = std::find_if(events.begin(), events.end(), [](const json& e) { return e.at("ph") == "X"; });
    ASSERT_NE(found, events.end());
    const json& event = *found;
    EXPECT_EQ(event.at("cat"), "backward");
    EXPECT_EQ(event.at("name"), "backward S2 m1");
    EXPECT_DOUBLE_EQ(event.at("ts"), 1234.567);
    EXPECT_DOUBLE_EQ(event.at("dur"), 765.433);
    EXPECT_EQ(event.at("args").at("bytes"), 7);
    EXPECT_EQ(event.at("args").at("step"), 4) << "counted from 1";
    EXPECT_DOUBLE_EQ(event.at("args").at("waited_us"), 1.5);
    EXPECT_FALSE(event.at("args").contains("layer"));
}

// Whatever the lane holds, the slices of each exported thread must nest, and none may be lost.
TEST(ChromeTrace, slicesOfAThreadNestEvenWhereALaneOverlaps) {
    LaneStore store(makeLanes({"cpu:0"}), 0);
    std::mt19937 random(11);
    std::uniform_int_distribution<int64_t> time(0, 100'000);
    for (int i = 0; i < 800; ++i) {
        const int64_t start = time(random);
        store.append(std::vector{slice(LaneId(i % 3), Kind::kForward, start, start + time(random) / 20)});
    }
    const json trace = exported(store);
    std::map<int, std::vector<std::pair<int64_t, int64_t>>> threads;
    std::size_t count = 0;
    for (const json& event : trace.at("traceEvents")) {
        if (event.at("ph") != "X") continue;
        const auto start = static_cast<int64_t>(std::llround(event.at("ts").get<double>() * 1000));
        const auto end = start + static_cast<int64_t>(std::llround(event.at("dur").get<double>() * 1000));
        threads[event.at("tid")].emplace_back(start, end);
        ++count;
    }
    EXPECT_EQ(count, 800U);
    EXPECT_GT(threads.size(), 3U) << "the data must need overflow threads for this to prove anything";
    for (const auto& [thread, slices] : threads)
        for (std::size_t a = 0; a < slices.size(); ++a)
            for (std::size_t b = a + 1; b < slices.size(); ++b) {
                const bool apart = slices[a].second <= slices[b].first || slices[b].second <= slices[a].first;
                const bool inside = slices[a].first <= slices[b].first && slices[b].second <= slices[a].second;
                const bool around = slices[b].first <= slices[a].first && slices[a].second <= slices[b].second;
                ASSERT_TRUE(apart || inside || around) << "thread " << thread;
            }
}

TEST(ChromeTrace, writesWaitsWithTheirReasonMemoryAsCountersAndPacketsAsArrows) {
    LaneStore store(makeLanes({"a", "b"}), kOrigin);
    Record wait = slice(laneOf(DeviceId(1), LaneRole::kCompute), Kind::kWait, kOrigin, kOrigin + 5000);
    wait.reason = IdleReason::kPacket;
    wait.blockingSlot = 6;
    Record memory = slice(laneOf(DeviceId(1), LaneRole::kMemory), Kind::kMemory, kOrigin + 10, kOrigin + 10);
    memory.bytes = 123;
    Record download = slice(laneOf(DeviceId(0), LaneRole::kActivationsDown), Kind::kDownloadActivation, kOrigin + 1000,
                            kOrigin + 2000);
    download.layer = LayerId(4);
    download.slot = 6;
    Record upload = download;
    upload.kind = Kind::kUploadActivation;
    upload.lane = laneOf(DeviceId(1), LaneRole::kActivationsUp);
    upload.slot = 7;
    upload.startNs = kOrigin + 3000;
    upload.endNs = kOrigin + 5000;
    Record reader = slice(laneOf(DeviceId(1), LaneRole::kCompute), Kind::kForward, kOrigin + 5000, kOrigin + 9000);
    reader.slot = 7;
    store.append(std::vector{wait, memory, download, upload, reader});

    const json trace = exported(store);
    std::vector<json> flow;
    bool sawWait = false, sawCounter = false;
    for (const json& event : trace.at("traceEvents")) {
        const std::string phase = event.at("ph");
        if (phase == "s" || phase == "t" || phase == "f") flow.push_back(event);
        if (phase == "C") {
            sawCounter = true;
            EXPECT_EQ(event.at("args").at("bytes"), 123);
            EXPECT_EQ(event.at("pid"), 2);
        }
        if (phase == "X" && event.at("cat") == "wait") {
            sawWait = true;
            EXPECT_EQ(event.at("name"), "wait packet S2 m1");
            EXPECT_EQ(event.at("args").at("reason"), "packet");
            EXPECT_EQ(event.at("args").at("waited_for_slot"), 6);
        }
    }
    EXPECT_TRUE(sawWait);
    EXPECT_TRUE(sawCounter);
    ASSERT_EQ(flow.size(), 3U);
    EXPECT_EQ(flow[0].at("ph"), "s");
    EXPECT_EQ(flow[0].at("ts"), 1.0);
    EXPECT_EQ(flow[1].at("ph"), "t");
    EXPECT_EQ(flow[1].at("ts"), 3.0);
    EXPECT_EQ(flow[2].at("ph"), "f");
    EXPECT_EQ(flow[2].at("ts"), 5.0);
    for (const json& event : flow)
        EXPECT_EQ(event.at("id"), flow[0].at("id"));
}

TEST(ChromeTrace, unwritablePlaceIsAnErrorThatNamesIt) {
    LaneStore store(makeLanes({"cpu:0"}), 0);
    try {
        writeChromeTrace(store.snapshot(), "/nowhere/at/all/trace.json");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kIo);
        EXPECT_NE(error.message().find("/nowhere/at/all"), std::string::npos);
    }
}

} // namespace
} // namespace roundpipe::trace
