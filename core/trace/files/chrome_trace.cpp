// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/files/chrome_trace.h"

#include "base/error.h"
#include "base/file.h"
#include "trace/analysis/flow.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <iterator>
#include <span>
#include <string>

namespace roundpipe::trace {
namespace {

using Sink = std::function<void(std::span<const std::byte>)>;

// A text may hold anything, a device driver's included; invalid UTF-8 is replaced.
std::string jsonText(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What is said several times, of each device, is a list: a key stands once.
std::string factsJson(const std::vector<Fact>& facts) {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    for (const Fact& fact : facts) {
        nlohmann::ordered_json& value = all[fact.name];
        if (value.is_string()) value = nlohmann::ordered_json::array({value});
        if (value.is_array())
            value.push_back(fact.value);
        else
            value = fact.value;
    }
    return jsonText(all);
}

std::string microseconds(int64_t ns) {
    return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", std::abs(ns) / 1000, std::abs(ns) % 1000);
}

class Writer {
public:
    Writer(const TraceSnapshot& trace, const Sink& sink, const ProgressCallback& progress)
        : m_trace(trace), m_sink(sink), m_progress(progress) {
        for (const SliceList& slices : trace.slices)
            m_numSlices += slices.size();
    }

    void writeAll() {
        m_buffer = R"({"displayTimeUnit":"ms","otherData":)" + factsJson(m_trace.about.facts) + R"(,"traceEvents":[)";
        for (std::size_t i = 0; i < m_trace.lanes.size(); ++i)
            writeLane(m_trace.lanes[i], m_trace.slices[i]);
        m_buffer += "\n]}\n";
        flush();
    }

private:
    // Thread ids leave room for a lane's overflow threads and keep the lanes' order.
    static constexpr int kThreadsPerLane = 100;

    static int processOf(const Lane& lane) { return lane.device.valid() ? lane.device.value + 1 : 1000; }

    void beginEvent() {
        m_buffer += m_first ? "\n" : ",\n";
        m_first = false;
        if (m_buffer.size() > (1 << 16)) flush();
    }

    void flush() {
        m_sink(std::as_bytes(std::span(m_buffer)));
        m_buffer.clear();
        if (m_progress && m_numSlices > 0 &&
            !m_progress(static_cast<double>(m_numWritten) / static_cast<double>(m_numSlices)))
            throw Error(ErrorKind::kCancelled, "The trace was not written.");
    }

    void writeMetadata(const char* what, int process, int thread, const std::string& args) {
        beginEvent();
        fmt::format_to(std::back_inserter(m_buffer), R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})",
                       what, process, thread, args);
    }

    void nameThread(const Lane& lane, int row) {
        const int thread = lane.id.value * kThreadsPerLane + row;
        const std::string name = row == 0 ? lane.name : fmt::format("{} ({})", lane.name, row + 1);
        writeMetadata("thread_name", processOf(lane), thread, "\"name\":" + jsonText(name));
        writeMetadata("thread_sort_index", processOf(lane), thread, fmt::format("\"sort_index\":{}", thread));
    }

    void writeLane(const Lane& lane, const SliceList& slices) {
        if (lane.role == LaneRole::kMemory) {
            writeCounter(lane, slices);
            return;
        }
        if (lane.role == LaneRole::kCompute || lane.role == LaneRole::kOptimizer) {
            const std::string process = lane.device.valid() ? deviceNameOf(lane) : std::string("Host");
            writeMetadata("process_name", processOf(lane), 0, "\"name\":" + jsonText(process));
            writeMetadata("process_sort_index", processOf(lane), 0, fmt::format("\"sort_index\":{}", processOf(lane)));
        }
        nameThread(lane, 0);
        std::vector<std::vector<int64_t>> openEnds(1); // of each thread, the ends of the slices that are still open
        for (std::size_t i = 0; i < slices.size(); ++i) {
            const Record& slice = slices[i];
            std::size_t row = 0;
            while (!fits(openEnds[row], slice)) {
                if (++row < openEnds.size()) continue;
                openEnds.emplace_back();
                nameThread(lane, static_cast<int>(row));
            }
            openEnds[row].push_back(slice.endNs);
            writeSlice(slice, processOf(lane), lane.id.value * kThreadsPerLane + static_cast<int>(row));
            ++m_numWritten;
        }
        if (lane.role == LaneRole::kActivationsUp) writeFlows(lane, slices);
    }

    void writeCounter(const Lane& lane, const SliceList& counts) {
        for (std::size_t i = 0; i < counts.size(); ++i, ++m_numWritten) {
            beginEvent();
            fmt::format_to(std::back_inserter(m_buffer),
                           R"({{"ph":"C","name":"memory in use","pid":{},"ts":{},"args":{{"bytes":{}}}}})",
                           processOf(lane), microseconds(counts[i].startNs - m_trace.originNs), counts[i].bytes);
        }
    }

    // An arrow for each packet that was uploaded: from its download to the upload to the slice that reads it. Copies of
    // a stream never overlap, so they lie on their lane's first thread.
    void writeFlows(const Lane& lane, const SliceList& uploads) {
        PacketSources sources(m_trace.slices, m_trace.lanes);
        const SliceList& compute = m_trace.slices[laneOf(lane.device, LaneRole::kCompute).index()];
        for (std::size_t i = 0; i < uploads.size(); ++i) {
            const Record* download = sources.of(uploads[i]);
            if (download == nullptr) continue;
            const Record* reader = readerOf(compute, uploads[i]);
            writeFlow('s', *download);
            writeFlow(reader == nullptr ? 'f' : 't', uploads[i]);
            if (reader != nullptr) writeFlow('f', *reader);
            ++m_numFlows;
        }
    }

    void writeFlow(char phase, const Record& slice) {
        beginEvent();
        fmt::format_to(std::back_inserter(m_buffer),
                       R"({{"ph":"{}","name":"packet","cat":"flow","id":{},"pid":{},"tid":{},"ts":{}{}}})", phase,
                       m_numFlows, processOf(m_trace.lanes[slice.lane.index()]), slice.lane.value * kThreadsPerLane,
                       microseconds(slice.startNs - m_trace.originNs), phase == 'f' ? R"(,"bp":"e")" : "");
    }

    static bool fits(std::vector<int64_t>& open, const Record& slice) {
        while (!open.empty() && open.back() <= slice.startNs)
            open.pop_back();
        return open.empty() || slice.endNs <= open.back();
    }

    void writeSlice(const Record& slice, int process, int thread) {
        beginEvent();
        const auto out = std::back_inserter(m_buffer);
        fmt::format_to(
            out, R"({{"ph":"X","name":"{}","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"bytes":{})",
            nameOf(slice), toString(slice.kind), process, thread, microseconds(slice.startNs - m_trace.originNs),
            microseconds(slice.endNs - slice.startNs), slice.bytes);
        const auto argument = [&](const char* name, int32_t value) {
            if (value >= 0) fmt::format_to(out, R"(,"{}":{})", name, value);
        };
        if (slice.step >= 0) argument("step", slice.step + 1); // counted as people do
        argument("slot", slice.slot);
        argument("stage", slice.stage.value);
        argument("microbatch", slice.microbatch.value);
        argument("layer", slice.layer.value);
        if (slice.kind == Kind::kWait) {
            fmt::format_to(out, R"(,"reason":"{}")", toString(slice.reason));
            argument("waited_for_slot", slice.blockingSlot);
        }
        if (packetOf(slice)) fmt::format_to(out, R"(,"carries":"{}")", slice.isGradient ? "gradient" : "activation");
        if (slice.queuedNs > 0) fmt::format_to(out, R"(,"waited_us":{})", microseconds(slice.startNs - slice.queuedNs));
        m_buffer += "}}";
    }

    static std::string nameOf(const Record& slice) {
        if (slice.kind == Kind::kStep) return fmt::format("step {}", slice.step + 1);
        std::string name = toString(slice.kind);
        if (slice.kind == Kind::kWait) name += std::string(" ") + toString(slice.reason);
        if (slice.stage.valid()) name += fmt::format(" S{}", slice.stage.value);
        if (slice.layer.valid()) name += fmt::format(" L{}", slice.layer.value);
        if (slice.microbatch.valid()) name += fmt::format(" m{}", slice.microbatch.value);
        return name;
    }

    const TraceSnapshot& m_trace;
    const Sink& m_sink;
    const ProgressCallback& m_progress;
    std::size_t m_numSlices = 0;
    std::size_t m_numWritten = 0;
    std::string m_buffer;
    bool m_first = true;
    int64_t m_numFlows = 0;
};

} // namespace

void writeChromeTrace(const TraceSnapshot& trace, const Destination& to, const ProgressCallback& progress) {
    writeFileAtomically(to, [&](const Sink& sink) { Writer(trace, sink, progress).writeAll(); });
}

} // namespace roundpipe::trace
