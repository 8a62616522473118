// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/trace_clock.h"

#include "base/log.h"
#include "base/units.h"
#include "device/cuda_check.h"
#include "trace/analysis/idle.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace roundpipe::device::cuda {
namespace {

// Elapsed times are fp32 milliseconds and the clocks drift: a new anchor keeps the error under a microsecond.
constexpr int64_t kAnchorLifeNs = 5'000'000'000;
constexpr auto kPollInterval = std::chrono::microseconds(500);

} // namespace

TraceClock::TraceClock(int cudaIndex, std::size_t numStreams, trace::Recorder& recorder)
    : m_cudaIndex(cudaIndex)
    , m_events(cudaIndex, cudaEventDefault)
    , m_producer(recorder.addProducer(std::size_t{1} << 16))
    , m_added(numStreams) {
    check(cudaSetDevice(cudaIndex), "choosing a GPU");
    check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "creating a stream");
    m_anchor = m_events.take();
    setAnchor();
    m_thread = std::thread([this] { work(); });
}

TraceClock::~TraceClock() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_changed.notify_one();
    m_thread.join();
    m_events.giveBack(m_anchor);
    cudaStreamDestroy(m_stream);
}

void TraceClock::add(std::size_t stream, const trace::Record& what, std::vector<cudaEvent_t> times) {
    {
        const std::scoped_lock lock(m_mutex);
        m_added[stream].push_back({what, std::move(times), {}});
    }
    m_changed.notify_one();
}

// The same instant on both clocks: the tightest of a few round trips.
void TraceClock::setAnchor() {
    int64_t tightest = INT64_MAX;
    cudaEvent_t best = m_events.take();
    cudaEvent_t tried = m_events.take();
    for (int i = 0; i < 5; ++i) {
        const int64_t before = steadyNowNs();
        check(cudaEventRecord(tried, m_stream), "recording an event");
        check(cudaEventSynchronize(tried), "waiting for an event");
        const int64_t after = steadyNowNs();
        if (after - before >= tightest) continue;
        tightest = after - before;
        m_anchorNs = before + tightest / 2;
        std::swap(best, tried);
    }
    std::swap(m_anchor, best);
    m_events.giveBack(best);
    m_events.giveBack(tried);
}

int64_t TraceClock::hostTimeNs(cudaEvent_t event) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, m_anchor, event), "reading a time");
    return m_anchorNs + std::llround(static_cast<double>(milliseconds) * 1e6);
}

// Its waits are not known before its end: until then it counts as one.
void TraceClock::beginFirst(TimedSpan& span, const trace::StreamOrder& order) {
    if (span.begunNs || cudaEventQuery(span.times.front()) != cudaSuccess) return;
    span.begunNs = std::max(hostTimeNs(span.times.front()), order.endNs());
    trace::Record begun = span.what;
    begun.startNs = *span.begunNs;
    m_producer.begin(begun);
}

bool TraceClock::resolveFirst(std::deque<TimedSpan>& spans, trace::StreamOrder& order) {
    TimedSpan& span = spans.front();
    const cudaError_t status = cudaEventQuery(span.times.back());
    if (status == cudaErrorNotReady) {
        beginFirst(span, order);
        return false;
    }
    check(status, "asking for an event");
    putPieces(span, order);
    giveBack(span);
    spans.pop_front();
    return true;
}

// A span is one record, but for the waits in it that can be seen. Times before and after a new anchor differ by its
// error, which must not make slices of one stream overlap.
void TraceClock::putPieces(const TimedSpan& span, trace::StreamOrder& order) {
    const auto put = [&](trace::Record record) {
        order.keep(record);
        m_producer.put(record);
    };
    trace::Record piece = span.what;
    piece.startNs = span.begunNs ? *span.begunNs : hostTimeNs(span.times.front());
    for (std::size_t i = 1; i + 1 < span.times.size(); i += 2) {
        const int64_t waitsFromNs = hostTimeNs(span.times[i]);
        const int64_t waitsUntilNs = hostTimeNs(span.times[i + 1]);
        if (waitsUntilNs - waitsFromNs < trace::kShortestIdleNs) continue;
        piece.endNs = waitsFromNs;
        put(piece);
        piece.startNs = waitsUntilNs;
    }
    piece.endNs = hostTimeNs(span.times.back());
    put(piece);
}

void TraceClock::giveBack(const TimedSpan& span) {
    for (const cudaEvent_t time : span.times)
        m_events.giveBack(time);
}

void TraceClock::work() {
    std::vector<std::deque<TimedSpan>> pending(m_added.size());
    std::vector<trace::StreamOrder> orders(m_added.size());
    try {
        check(cudaSetDevice(m_cudaIndex), "choosing a GPU");
        for (bool nothingPending = true, stopping = false;
             !stopping;) { // the streams have run dry before the last round
            {
                std::unique_lock lock(m_mutex);
                const auto anythingAdded = [this] {
                    for (const auto& added : m_added)
                        if (!added.empty()) return true;
                    return m_stopping;
                };
                if (nothingPending) m_changed.wait(lock, anythingAdded);
                stopping = m_stopping;
                for (std::size_t i = 0; i < pending.size(); ++i) {
                    pending[i].insert(pending[i].end(), m_added[i].begin(), m_added[i].end());
                    m_added[i].clear();
                }
            }
            if (steadyNowNs() - m_anchorNs > kAnchorLifeNs) setAnchor();
            nothingPending = true;
            for (std::size_t i = 0; i < pending.size(); ++i) {
                while (!pending[i].empty() && resolveFirst(pending[i], orders[i])) {
                }
                nothingPending = nothingPending && pending[i].empty();
            }
            if (!nothingPending && !stopping) std::this_thread::sleep_for(kPollInterval);
        }
    } catch (const std::exception& error) {
        // The same failure reaches the controllers, who report it; the timeline just ends.
        log::warning(std::string("the timeline of a GPU ends: ") + error.what());
    }
    for (auto& spans : pending)
        for (const TimedSpan& span : spans)
            giveBack(span);
}

} // namespace roundpipe::device::cuda
