// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/files/slices_csv.h"

#include "base/error.h"
#include "base/file.h"

#include <fmt/format.h>

#include <iterator>

namespace roundpipe::trace {
namespace {

std::string millisecondsOf(int64_t ns) {
    return fmt::format("{}{}.{:06}", ns < 0 ? "-" : "", std::abs(ns) / 1'000'000, std::abs(ns) % 1'000'000);
}

std::string idOf(int32_t value) {
    return value < 0 ? std::string() : std::to_string(value);
}

void putLine(const Record& slice, const std::string& lane, int64_t originNs, std::string& out) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", lane, toString(slice.kind),
                   slice.kind == Kind::kWait ? toString(slice.reason) : "",
                   slice.step < 0 ? std::string() : std::to_string(slice.step + 1), idOf(slice.slot),
                   idOf(slice.stage.value), idOf(slice.microbatch.value), idOf(slice.layer.value),
                   slice.kind == Kind::kWait ? idOf(slice.blockingSlot) : std::string(),
                   millisecondsOf(slice.startNs - originNs), millisecondsOf(slice.endNs - slice.startNs),
                   slice.queuedNs > 0 ? millisecondsOf(slice.startNs - slice.queuedNs) : std::string(), slice.bytes);
}

} // namespace

std::string csvQuoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

void writeSlicesCsv(const TraceSnapshot& trace, const Destination& to, const ProgressCallback& progress) {
    std::size_t total = 0;
    for (const SliceList& slices : trace.slices)
        total += slices.size();
    writeFileAtomically(to, [&](const auto& put) {
        std::string buffer = "lane,kind,reason,step,slot,stage,microbatch,layer,waited_for_slot,start_ms,duration_ms,"
                             "queued_ms,bytes\n";
        std::size_t written = 0;
        for (const Lane& lane : trace.lanes) {
            const std::string name = csvQuoted(lane.name);
            const SliceList& slices = trace.slices[lane.id.index()];
            for (std::size_t i = 0; i < slices.size(); ++i, ++written) {
                putLine(slices[i], name, trace.originNs, buffer);
                if (buffer.size() < (1 << 16)) continue;
                put(std::as_bytes(std::span(buffer)));
                buffer.clear();
                if (progress && !progress(static_cast<double>(written) / static_cast<double>(total)))
                    throw Error(ErrorKind::kCancelled, "The slices were not written.");
            }
        }
        put(std::as_bytes(std::span(buffer)));
    });
}

} // namespace roundpipe::trace
