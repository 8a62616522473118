// The records of a run: handed on to whoever looks, and kept for the trace file that stands in its folder at the end.
#pragma once

#include "session/link_meter.h"
#include "trace/collector.h"

#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace roundpipe::engine {

// Any thread.
class RunTrace {
public:
    explicit RunTrace(trace::Recorder& recorder);

    void take(std::vector<trace::Record>& out) { m_collector.take(out); } // what has arrived since the last call
    void flush() { m_collector.flush(); }                                 // what has been recorded can be taken
    session::LinkRates linkRates(DeviceId device) const;                  // over the last second
    // Shows the records kept so far; nothing is added meanwhile.
    void look(const std::function<void(std::span<const trace::Record>)>& at);
    uint64_t numDropped() const { return m_collector.numDropped(); }
    // Chrome-trace JSON. Returns how many records were left out because the run was too long to keep them all.
    int64_t write(const std::vector<trace::Lane>& lanes, const std::filesystem::path& path);

private:
    void keep(std::span<const trace::Record> records);

    static constexpr std::size_t kMaxRecords = std::size_t{1} << 21; // 128 MiB: the first hours of a long run
    session::LinkMeter m_links;
    mutable std::mutex m_mutex;
    std::vector<trace::Record> m_records;
    int64_t m_numLeftOut = 0;
    trace::Collector m_collector; // last: its thread calls keep()
};

} // namespace roundpipe::engine
