// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a run: handed on to whoever looks, and written into the trace file in its folder as they come.
#pragma once

#include "session/run/link_meter.h"
#include "trace/files/trace_file.h"
#include "trace/recording/collector.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace roundpipe::engine {

// Any thread.
class RunTrace {
public:
    explicit RunTrace(trace::Recorder& recorder);

    void take(std::vector<trace::Record>& out) { m_collector.take(out); } // what has arrived since the last call
    std::vector<trace::Record> openSlices() const { return m_collector.openSlices(); }
    void flush() { m_collector.flush(); }                // what has been recorded can be taken
    session::LinkRates linkRates(DeviceId device) const; // over the last second
    // Shows the first records of the run, those of its first steps among them; nothing is added meanwhile.
    void lookAtFirst(const std::function<void(std::span<const trace::Record>)>& at);
    uint64_t numDropped() const { return m_collector.numDropped(); }

    // From here on, and with what came before, records go into a file. Throws kIo, kNoSpace.
    void beginFile(const std::filesystem::path& path, const std::vector<trace::Lane>& lanes,
                   const trace::TraceAbout& about);
    // Completes the file. Returns how many records it lacks; throws what kept it from being written. No-op without one.
    int64_t endFile();
    void discardFile(); // removes it
    // It is written on there, or begun anew where it is not: somebody has removed it. Throws kIo, kNoSpace. No-op
    // without one.
    void goOnIn(const std::filesystem::path& path);

private:
    void keep(std::span<const trace::Record> records);

    static constexpr std::size_t kNumFirst = std::size_t{1} << 18; // 16 MiB: dozens of steps on eight devices
    session::LinkMeter m_links;
    mutable std::mutex m_mutex;
    std::vector<trace::Record> m_first;
    std::unique_ptr<trace::TraceFileWriter> m_file; // null: none is being written
    std::filesystem::path m_filePath;
    std::vector<trace::Lane> m_lanes; // of it, as what follows
    trace::TraceAbout m_about;
    int64_t m_originNs = 0;
    trace::Collector m_collector; // last: its thread calls keep()
};

} // namespace roundpipe::engine
