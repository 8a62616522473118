// SPDX-License-Identifier: GPL-3.0-or-later
// What a run issues, in its order: which memory work reads and writes, and what waits for what. Streams write their
// part (logged_stream.h), host threads theirs; races.h asks whether accesses are ordered. For tests and the self-test:
// a run without a log has other streams, and its host threads note nothing.
#pragma once

#include "device/streams/awaited.h"
#include "trace/record.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace roundpipe::device {

// Any thread. Of one run, whose memory stays where it is meanwhile.
class OrderLog {
public:
    // A stream or a host thread: what is on a line happens in the order in which it stands here.
    using Line = int32_t;
    static constexpr Line kThisThread = -1; // the calling one's

    enum class NoteKind : uint8_t { kRead, kWrite, kHappened, kAwaited };
    struct Note {
        NoteKind kind = NoteKind::kRead;
        Line line = -1;
        Line issuer = -1;                    // the host thread that issued it: what that did before comes first
        int64_t moment = -1;                 // kHappened, kAwaited; counted from 0
        Awaited awaited = Awaited::kInTurns; // kAwaited
        const std::byte* begin = nullptr;    // of an access
        int64_t bytes = 0;
        const char* name = "";             // of what lies there
        std::optional<trace::Record> span; // that the stream is in
    };

    // A test's switch, before the run: nobody waits for that. A stream's wait is not made (LoggedStream); a host
    // thread's is, as it would have nothing to go on with, but counts for nothing when the log is read.
    void leaveOut(Awaited why) { m_leftOut = why; }
    std::optional<Awaited> leftOut() const { return m_leftOut; }

    Line addStream(std::string name);
    void nameThread(std::string name); // the calling one's, which gets a line of its own
    // `name` is a literal. An access of no byte, or to null, is none.
    void access(Line line, bool isWrite, const void* data, int64_t bytes, const char* name,
                const std::optional<trace::Record>& span = {});
    int64_t happened(Line line); // returns the moment
    void awaited(Line line, int64_t moment, Awaited why);
    // Moments of host threads, which are known by what waits for them, and of what. Of one that nobody noted nothing
    // is awaited.
    void happened(Awaited why, const void* of, int64_t number);
    void awaited(Awaited why, const void* of, int64_t number);

    // Once nothing is issued any more.
    const std::vector<Note>& notes() const { return m_notes; }
    const std::vector<std::string>& lines() const { return m_lines; } // names
    int64_t numMoments() const { return m_numMoments; }

private:
    Line addLine(std::string name); // these three: under the lock
    Line thisThread();
    Note& add(NoteKind kind, Line line);

    std::optional<Awaited> m_leftOut;
    std::mutex m_mutex;
    std::vector<Note> m_notes;
    std::vector<std::string> m_lines;
    std::map<std::thread::id, Line> m_threads;
    std::map<std::tuple<Awaited, const void*, int64_t>, int64_t> m_named; // the newest moment of each
    int64_t m_numMoments = 0;
};

// What a host thread notes of what it does itself; nothing where there is no log.
class HostNotes {
public:
    HostNotes() = default;
    explicit HostNotes(OrderLog* log) : m_log(log) {}

    void isThread(const char* name, DeviceId ofDevice = {}) const {
        if (m_log) m_log->nameThread(name + (ofDevice.valid() ? " of device " + std::to_string(ofDevice.value) : ""));
    }
    void reads(const void* data, int64_t bytes, const char* name) const {
        if (m_log) m_log->access(OrderLog::kThisThread, false, data, bytes, name);
    }
    void writes(const void* data, int64_t bytes, const char* name) const {
        if (m_log) m_log->access(OrderLog::kThisThread, true, data, bytes, name);
    }
    // What the thread did so far comes before what others do once they have awaited it.
    void happened(Awaited why, const void* of, int64_t number = 0) const {
        if (m_log) m_log->happened(why, of, number);
    }
    void awaited(Awaited why, const void* of, int64_t number = 0) const {
        if (m_log) m_log->awaited(why, of, number);
    }

private:
    OrderLog* m_log = nullptr;
};

} // namespace roundpipe::device
