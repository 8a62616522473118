// SPDX-License-Identifier: GPL-3.0-or-later
// What tracing costs: trace_cost [SECONDS [FOLDER]]. Prints the time to record an event, what the collector spends on
// one (with the search for waits), what is dropped at 100,000 events a second for that long (10 unless told otherwise),
// while all of it goes into a trace file in FOLDER and into a store of 2 GiB, and how long taking a tick's events held
// up the reader.
#include "base/units.h"
#include "testing/fixtures.h"
#include "trace/files/trace_file.h"
#include "trace/recording/collector.h"
#include "trace/store/lane_store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace roundpipe;
using trace::Kind;
using trace::LaneRole;
using trace::Record;

// Slots on two devices as an engine records them, one microsecond a slice.
class Events {
public:
    Record next() {
        static constexpr LaneRole kRoles[] = {LaneRole::kWeightsUp, LaneRole::kActivationsUp, LaneRole::kCompute,
                                              LaneRole::kActivationsDown};
        static constexpr Kind kKinds[] = {Kind::kUploadWeights, Kind::kUploadActivation, Kind::kForward,
                                          Kind::kDownloadActivation};
        const auto part = static_cast<std::size_t>(m_count % 4);
        const int64_t turn = m_count++ / 4;
        Record record;
        record.kind = kKinds[part];
        record.lane = trace::laneOf(DeviceId(static_cast<int32_t>(turn / 8 % 2)), kRoles[part]);
        record.step = static_cast<int32_t>(turn / 256);
        record.slot = static_cast<int32_t>(turn / 8 % 32);
        record.microbatch = MicrobatchId(static_cast<int32_t>(turn % 8));
        record.layer = LayerId(record.slot + (record.kind == Kind::kDownloadActivation ? 1 : 0));
        record.startNs = record.queuedNs = m_count * 10'000;
        record.endNs = record.startNs + (record.kind == Kind::kForward ? 30'000 : 9'000);
        return record;
    }

private:
    int64_t m_count = 0;
};

double nanosecondsEach(int64_t startNs, int64_t count) {
    return static_cast<double>(steadyNowNs() - startNs) / static_cast<double>(count);
}

void timeRecording() {
    constexpr int kEvents = 1 << 20;
    trace::Recorder recorder;
    trace::Producer& producer = recorder.addProducer(kEvents);
    const Record record = Events().next();
    const int64_t startNs = steadyNowNs();
    for (int i = 0; i < kEvents; ++i)
        producer.put(record);
    std::printf("recording: %.1f ns an event\n", nanosecondsEach(startNs, kEvents));
    std::vector<Record> begun;
    const int64_t beginNs = steadyNowNs();
    for (int i = 0; i < kEvents; ++i) {
        producer.begin(record);
        if (i % 256 == 255) {
            begun.clear();
            recorder.drainBegun(begun); // so that its ring is never full, for which it would be faster
        }
    }
    std::printf("saying that it has begun: %.1f ns an event, with the collector's part\n",
                nanosecondsEach(beginNs, kEvents));
}

void timeExplaining() {
    constexpr int64_t kEvents = 1 << 20;
    Events events;
    std::vector<Record> records(kEvents);
    for (Record& record : records)
        record = events.next();
    trace::IdleFinder finder;
    std::vector<Record> waits;
    const int64_t startNs = steadyNowNs();
    for (std::size_t i = 0; i < records.size(); i += 512) {
        finder.add(std::span(records).subspan(i, 512));
        finder.take(records[i].startNs - 50'000'000, waits);
    }
    finder.take(std::numeric_limits<int64_t>::max(), waits);
    std::printf("explaining: %.1f ns an event (collector's thread), %zu waits\n", nanosecondsEach(startNs, kEvents),
                waits.size());
    trace::LaneStore store(trace::makeLanes({"a", "b"}), 0);
    const int64_t appendNs = steadyNowNs();
    store.append(records);
    std::printf("appending: %.1f ns an event (reader's thread)\n", nanosecondsEach(appendNs, kEvents));
}

int64_t residentMiB() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("RssAnon:")) return std::atoll(line.c_str() + 8) / 1024;
    return 0;
}

void timeSustained(double seconds, const std::filesystem::path& folder) {
    constexpr int64_t kPerSecond = 100'000;
    trace::LaneStore store(trace::makeLanes({"a", "b"}), 0);
    store.setBudget(trace::LaneStore::kUsualBudgetBytes, folder);
    const std::filesystem::path path = folder / "sustained.rptrace";
    trace::TraceFileWriter file(path, store.lanes(), 0, {});
    trace::Recorder recorder;
    trace::Producer& producer = recorder.addProducer();
    int64_t seen = 0;
    trace::Collector collector(recorder, [&](std::span<const Record> batch) {
        seen += std::ssize(batch);
        file.append(batch);
    });
    std::atomic<bool> isOver = false;
    int64_t count = 0;
    std::thread engine([&] { // as in a run, nobody who reads holds it up
        Events events;
        const int64_t startNs = steadyNowNs();
        for (int64_t nowNs = startNs; static_cast<double>(nowNs - startNs) < seconds * 1e9; nowNs = steadyNowNs()) {
            for (const int64_t due = (nowNs - startNs) * kPerSecond / 1'000'000'000; count < due; ++count)
                producer.put(events.next());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        isOver = true;
    });
    std::vector<Record> taken;
    int64_t longestNs = 0;
    for (bool last = false; !last;) {
        last = isOver;
        taken.clear();
        collector.take(taken);
        const int64_t beginNs = steadyNowNs();
        store.append(taken);
        longestNs = std::max(longestNs, steadyNowNs() - beginNs);
        std::this_thread::sleep_for(std::chrono::milliseconds(33));
    }
    engine.join();
    collector.flush();
    file.finish(collector.numDropped());
    std::printf(
        "store: %zu slices, %lld MiB by its own count, %lld MiB of the process, %zu chunks of 64 KiB on the disk%s\n",
        store.numSlices(), static_cast<long long>(store.memoryBytes() >> 20), static_cast<long long>(residentMiB()),
        store.numChunksOnDisk(), store.budgetProblem().c_str());
    std::printf("longest time that a tick's events took to be appended: %.1f ms\n",
                static_cast<double>(longestNs) * 1e-6);
    std::printf("file: %lld MiB, %lld events left out\n",
                static_cast<long long>(std::filesystem::file_size(path) >> 20),
                static_cast<long long>(file.numLeftOut()));
    std::filesystem::remove(path);
    std::printf("sustained: %lld events in %.0f s, %lld seen with their waits, %llu dropped\n",
                static_cast<long long>(count), seconds, static_cast<long long>(seen),
                static_cast<unsigned long long>(collector.numDropped()));
}

} // namespace

int main(int argc, char** argv) {
    timeRecording();
    timeExplaining();
    const testing::TemporaryFolder folder;
    timeSustained(argc > 1 ? std::atof(argv[1]) : 10, argc > 2 ? argv[2] : folder.path());
    return 0;
}
