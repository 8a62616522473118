// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cpu_stream.h"

#include "base/units.h"
#include "device/streams/thread_setup.h"
#include "trace/analysis/idle.h"

#include <cstring>
#include <utility>

namespace roundpipe::device {
namespace {

class Flag final : public Event::State {
public:
    void set() {
        {
            const std::scoped_lock lock(m_mutex);
            m_set = true;
        }
        m_changed.notify_all();
    }
    bool ready() const override {
        const std::scoped_lock lock(m_mutex);
        return m_set;
    }
    void synchronize() const override {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_set; });
    }
    bool waitFor(std::chrono::nanoseconds time) const override {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, time, [this] { return m_set; });
    }

private:
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    bool m_set = false;
};

} // namespace

CpuStream::CpuStream(LaneId lane, const DeviceContext& context, std::shared_ptr<LinkPace> pace)
    : m_lane(lane)
    , m_fault(context.fault)
    , m_producer(context.recorder ? &context.recorder->addProducer() : nullptr)
    , m_onSpan(context.onSpan)
    , m_pace(std::move(pace))
    , m_thread([this] { work(); }) {}

CpuStream::~CpuStream() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void CpuStream::enqueue(std::function<void()> run, bool evenWhenPoisoned) {
    {
        const std::scoped_lock lock(m_mutex);
        m_tasks.push_back({std::move(run), evenWhenPoisoned});
    }
    m_changed.notify_one();
}

void CpuStream::launch(std::function<void()> work) {
    enqueue(std::move(work));
}

void CpuStream::replay(const Recording&) {
    RP_CHECK(!"a CPU worker's streams record nothing");
}

void CpuStream::copy(void* to, const void* from, int64_t bytes) {
    enqueue([=, this] {
        const int64_t beganNs = steadyNowNs();
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
        if (m_pace) m_pace->waitFor(bytes, beganNs);
    });
}

void CpuStream::openSpan(const trace::Record& what) {
    enqueue([this, what, queuedNs = steadyNowNs()] {
        m_span = what;
        m_span.lane = m_lane;
        m_span.queuedNs = queuedNs;
        m_span.startNs = steadyNowNs();
        m_spanIsOpen = true;
        if (m_producer) m_producer->begin(m_span);
        if (m_onSpan) m_onSpan(m_span);
    });
}

void CpuStream::closeSpan() {
    enqueue([this] {
        m_span.endNs = steadyNowNs();
        m_spanIsOpen = false;
        if (m_producer) m_producer->put(m_span);
    });
}

Event CpuStream::record() {
    auto flag = std::make_shared<Flag>();
    enqueue([flag] { flag->set(); }, true);
    return Event(flag);
}

void CpuStream::wait(const Event& event, Awaited) {
    enqueue([this, event] { waitInSpan(event); });
}

void CpuStream::hostWaits() {
    enqueue([this] {
        if (!m_waitsFromNs) m_waitsFromNs = steadyNowNs();
    });
}

void CpuStream::waitInSpan(const Event& event) {
    const int64_t beforeNs = std::exchange(m_waitsFromNs, std::nullopt).value_or(steadyNowNs());
    event.synchronize();
    const int64_t nowNs = steadyNowNs();
    if (!m_spanIsOpen || nowNs - beforeNs < trace::kShortestIdleNs) return;
    m_span.endNs = beforeNs;
    if (m_producer) m_producer->put(m_span);
    m_span.startNs = nowNs;
    if (m_producer) m_producer->begin(m_span);
}

void CpuStream::synchronize() {
    record().synchronize();
}

void CpuStream::work() {
    setUpComputeThread();
    for (;;) {
        Task task;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_stopping || !m_tasks.empty(); });
            if (m_tasks.empty()) return;
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
        }
        if (m_fault->raised() && !task.evenWhenPoisoned) continue;
        try {
            task.run();
        } catch (...) {
            m_fault->raise(std::current_exception());
        }
    }
}

} // namespace roundpipe::device
