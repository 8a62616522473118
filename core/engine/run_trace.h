// The records of a run, kept for the trace file that stands in its folder at the end.
#pragma once

#include "trace/record.h"

#include <filesystem>
#include <mutex>
#include <span>
#include <vector>

namespace roundpipe::engine {

// Any thread.
class RunTrace {
public:
    void append(std::span<const trace::Record> records);
    // Chrome-trace JSON. Returns how many records were left out because the run was too long to keep them all.
    int64_t write(const std::vector<trace::Lane>& lanes, const std::filesystem::path& path) const;

private:
    static constexpr std::size_t kMaxRecords = std::size_t{1} << 21; // 128 MiB: the first hours of a long run
    mutable std::mutex m_mutex;
    std::vector<trace::Record> m_records;
    int64_t m_numLeftOut = 0;
};

} // namespace roundpipe::engine
