#include "trace/collector.h"

#include <condition_variable>

namespace roundpipe::trace {

Collector::Collector(Recorder& recorder, Sink sink, std::chrono::milliseconds period)
    : m_recorder(recorder)
    , m_sink(std::move(sink))
    , m_thread([this, period](const std::stop_token& stop) { run(stop, period); }) {}

Collector::~Collector() {
    m_thread.request_stop();
    m_thread.join();
}

void Collector::run(const std::stop_token& stop, std::chrono::milliseconds period) {
    std::mutex mutex;
    std::condition_variable_any wake; // woken by the stop only
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
        drainOnce();
        wake.wait_for(lock, stop, period, [] { return false; });
    }
    drainOnce();
}

void Collector::drainOnce() {
    const std::scoped_lock draining(m_drainMutex);
    m_batch.clear();
    m_recorder.drain(m_batch);
    if (m_batch.empty()) return;
    if (m_sink) m_sink(m_batch);
    const std::scoped_lock lock(m_mutex);
    if (m_pending.size() + m_batch.size() > kMaxPending)
        m_numDropped += m_batch.size();
    else
        m_pending.insert(m_pending.end(), m_batch.begin(), m_batch.end());
}

void Collector::take(std::vector<Record>& out) {
    std::vector<Record> taken;
    {
        const std::scoped_lock lock(m_mutex);
        taken.swap(m_pending);
    }
    out.insert(out.end(), taken.begin(), taken.end());
}

uint64_t Collector::numDropped() const {
    const std::scoped_lock lock(m_mutex);
    return m_numDropped + m_recorder.numDropped();
}

} // namespace roundpipe::trace
