// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that empties the producers' rings, so that a slow reader never makes them drop records. It adds what the
// records say between the lines: why devices were idle.
#pragma once

#include "trace/analysis/idle.h"
#include "trace/recording/open_slices.h"
#include "trace/recording/recorder.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace roundpipe::trace {

class Collector {
public:
    // Called on the collector's thread with every batch, before it can be taken; must not throw.
    using Sink = std::function<void(std::span<const Record>)>;

    explicit Collector(Recorder& recorder, Sink sink = {},
                       std::chrono::milliseconds period = std::chrono::milliseconds(5));
    ~Collector(); // ends the thread after a last drain
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    // Empties the rings now, in the calling thread: what producers have put before this call is in the sink after it,
    // the waits between it too.
    void flush();
    // A new run follows: its devices do not wait for what was recorded before.
    void beginRun();
    // Appends to `out` what has arrived since the last call. Any thread; never waits for a drain to finish.
    void take(std::vector<Record>& out);
    std::vector<Record> openSlices() const; // begun, and not ended yet; at most one of a lane. Any thread
    // Lost to full rings, or because nobody took them: at most kMaxPending records (64 MiB) wait.
    uint64_t numDropped() const;
    uint64_t numLostByProducers() const { return m_recorder.numDropped(); } // to full rings alone: the sink lacks these

private:
    static constexpr std::size_t kMaxPending = std::size_t{1} << 20;
    void run(const std::stop_token& stop, std::chrono::milliseconds period);
    void drainOnce(int64_t explainUntilNs);

    Recorder& m_recorder;
    Sink m_sink;
    std::mutex m_drainMutex;     // one thread drains at a time
    std::vector<Record> m_begun; // guarded by it
    std::vector<Record> m_batch; // guarded by it
    IdleFinder m_idle;           // guarded by it
    mutable std::mutex m_mutex;
    std::vector<Record> m_pending;
    OpenSlices m_open;
    uint64_t m_numDropped = 0;
    std::jthread m_thread;
};

} // namespace roundpipe::trace
