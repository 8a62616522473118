// SPDX-License-Identifier: GPL-3.0-or-later
// A trace as a file of its own: written while a run goes on, readable however the run ended.
//
// Everything stands in units of 64 bytes, numbers as x86 has them: a head (mark, version, sizes), a JSON object with
// the devices' names, the origin and TraceAbout, padded with blanks, then the records as they came, and an end mark
// that says how many events were lost. A file without an end mark was left by a run that was killed: it holds what was
// written until then.
#pragma once

#include "base/file.h"
#include "trace/files/progress_callback.h"
#include "trace/store/lane_store.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::trace {

// Any thread may append. A thread of its own writes, four times a second, so that a slow disk holds nobody up: what it
// cannot take is left out and counted.
class TraceFileWriter {
public:
    // In place of a file that stands there. Throws kIo, kNoSpace, and as requireReplaceable does. `lanes` as makeLanes
    // makes them.
    TraceFileWriter(const std::filesystem::path& path, const std::vector<Lane>& lanes, int64_t originNs,
                    const TraceAbout& about);
    ~TraceFileWriter(); // what was appended is written; without finish() there is no end mark
    TraceFileWriter(const TraceFileWriter&) = delete;
    TraceFileWriter& operator=(const TraceFileWriter&) = delete;

    void append(std::span<const Record> records);
    // Writes the rest and the end mark. `numLost`: events that never came here. Throws what any write threw.
    void finish(uint64_t numLost);
    int64_t numLeftOut() const; // appended, but neither written nor to be written

private:
    static constexpr std::size_t kMaxPending = std::size_t{1} << 20; // 64 MiB
    void run(const std::stop_token& stop);
    void writeOut();
    void write(std::span<const std::byte> bytes);

    std::filesystem::path m_path;
    int m_descriptor = -1;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::vector<Record> m_pending; // guarded, as is what follows
    int64_t m_numLeftOut = 0;
    std::exception_ptr m_failure;
    std::vector<Record> m_batch; // the writing thread's
    std::jthread m_thread;
};

// Reads from any thread; holds a block of records at a time.
class TraceFile {
public:
    // Reads the head. Throws kIo, and kInvalidInput naming file and byte where it is no trace of ours.
    explicit TraceFile(const std::filesystem::path& path);

    const std::vector<Lane>& lanes() const { return m_lanes; }
    const TraceAbout& about() const { return m_about; } // without secrets, which a run's name may have held
    int64_t originNs() const { return m_originNs; }
    int64_t numRecords() const { return m_numRecords; }
    bool isComplete() const { return m_complete; } // it has its end mark
    uint64_t numLost() const { return m_numLost; } // events, as the end mark has it

    // All records in blocks, until `take` returns false. Throws kInvalidInput naming the record and its byte where one
    // holds nonsense.
    void read(const std::function<bool(std::span<const Record>)>& take) const;

private:
    void readHeader(std::string_view json);
    void readEnd();
    [[noreturn]] void refuse(int64_t offset, const std::string& why) const;

    FileReader m_file;
    std::vector<Lane> m_lanes;
    TraceAbout m_about;
    int64_t m_originNs = 0;
    int64_t m_recordsAt = 0; // their offset
    int64_t m_numRecords = 0;
    bool m_complete = false;
    uint64_t m_numLost = 0;
};

inline constexpr const char* kTraceExtension = ".rptrace";

// All of a file as a store. `goOn` hears how far it is (0 to 1); false from it throws kCancelled.
// `budgetBytes` of memory at most (LaneStore::setBudget); 0: as much as it takes.
LaneStore readTrace(const TraceFile& file, const ProgressCallback& goOn = {}, int64_t budgetBytes = 0);

// A store's slices as such a file, whole or not at all.
void writeTraceFile(const TraceSnapshot& trace, const Destination& to, const ProgressCallback& goOn = {});

} // namespace roundpipe::trace
