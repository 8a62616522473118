// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recording/collector.h"

#include "base/units.h"

#include <condition_variable>
#include <limits>

namespace roundpipe::trace {
namespace {

// Records of GPUs come up to a few milliseconds after what they record; a wait is explained when all of them are here.
constexpr int64_t kExplainAfterNs = 50'000'000;

} // namespace

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
        drainOnce(steadyNowNs() - kExplainAfterNs);
        wake.wait_for(lock, stop, period, [] { return false; });
    }
    flush();
}

void Collector::flush() {
    drainOnce(std::numeric_limits<int64_t>::max());
}

void Collector::beginRun() {
    flush();
    const std::scoped_lock draining(m_drainMutex);
    m_idle = {};
    const std::scoped_lock lock(m_mutex);
    m_open = {};
}

void Collector::drainOnce(int64_t explainUntilNs) {
    const std::scoped_lock draining(m_drainMutex);
    m_begun.clear();
    m_batch.clear();
    m_recorder.drainBegun(m_begun);
    m_recorder.drain(m_batch);
    if (!m_begun.empty() || !m_batch.empty()) {
        const std::scoped_lock lock(m_mutex);
        m_open.begun(m_begun);
        m_open.ended(m_batch);
    }
    m_idle.add(m_batch);
    m_idle.take(explainUntilNs, m_batch);
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

std::vector<Record> Collector::openSlices() const {
    const std::scoped_lock lock(m_mutex);
    return m_open.all();
}

uint64_t Collector::numDropped() const {
    const std::scoped_lock lock(m_mutex);
    return m_numDropped + m_recorder.numDropped();
}

} // namespace roundpipe::trace
