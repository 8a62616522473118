// SPDX-License-Identifier: GPL-3.0-or-later
// Turns pairs of CUDA timing events into trace records on the host's steady clock, in a thread of its own: the
// controllers never wait for a time.
#pragma once

#include "device/cuda_events.h"
#include "trace/recording/recorder.h"
#include "trace/recording/stream_order.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace roundpipe::device::cuda {

class TraceClock {
public:
    TraceClock(int cudaIndex, std::size_t numStreams, trace::Recorder& recorder);
    ~TraceClock(); // drops spans that have not ended by then
    TraceClock(const TraceClock&) = delete;
    TraceClock& operator=(const TraceClock&) = delete;

    cudaEvent_t takeEvent() { return m_events.take(); }
    // Spans of a stream come in order. `times` were recorded on it and go back to the pool later: the start, before and
    // after each wait within the span, the end.
    void add(std::size_t stream, const trace::Record& what, std::vector<cudaEvent_t> times);

private:
    struct TimedSpan {
        trace::Record what;
        std::vector<cudaEvent_t> times;
        std::optional<int64_t> begunNs = {}; // once that is known
    };
    void work();
    void setAnchor();
    void putPieces(const TimedSpan& span, trace::StreamOrder& order);
    void giveBack(const TimedSpan& span);
    void beginFirst(TimedSpan& span, const trace::StreamOrder& order);          // says that it has, when it has
    bool resolveFirst(std::deque<TimedSpan>& spans, trace::StreamOrder& order); // false: it has not ended yet
    int64_t hostTimeNs(cudaEvent_t event) const;

    int m_cudaIndex;
    EventPool m_events;
    trace::Producer& m_producer;
    cudaStream_t m_stream = nullptr; // of the anchor alone
    cudaEvent_t m_anchor = nullptr;
    int64_t m_anchorNs = 0;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::deque<TimedSpan>> m_added; // by stream; guarded
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace roundpipe::device::cuda
