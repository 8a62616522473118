// SPDX-License-Identifier: GPL-3.0-or-later
// A stream of a CPU worker: a thread that takes tasks from a queue, first in, first out.
#pragma once

#include "device/device.h"
#include "device/limits/link_pace.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace roundpipe::device {

class CpuStream final : public Stream {
public:
    // `pace`: of the link that its copies take; null: as fast as they are.
    CpuStream(LaneId lane, const DeviceContext& context, std::shared_ptr<LinkPace> pace = {});
    ~CpuStream() override; // runs what was issued, then ends the thread

    void launch(std::function<void()> work) override;
    std::unique_ptr<const Recording> recorded(const std::function<void()>&) override { return nullptr; }
    void replay(const Recording& recording) override;
    void copy(void* to, const void* from, int64_t bytes) override;
    void openSpan(const trace::Record& what) override;
    void closeSpan() override;
    Event record() override;
    void wait(const Event& event, Awaited why) override;
    void hostWaits() override;
    void synchronize() override;
    using Stream::copy;

private:
    struct Task {
        std::function<void()> run;
        bool evenWhenPoisoned = false; // events are signalled whatever happened, so that nobody waits for ever
    };
    void enqueue(std::function<void()> run, bool evenWhenPoisoned = false);
    void work();
    void waitInSpan(const Event& event);

    LaneId m_lane;
    std::shared_ptr<Fault> m_fault;
    trace::Producer* m_producer;
    std::function<void(const trace::Record&)> m_onSpan;
    std::shared_ptr<LinkPace> m_pace;
    trace::Record m_span; // of the stream's thread
    bool m_spanIsOpen = false;
    std::optional<int64_t> m_waitsFromNs; // when its host began to; the next wait ends it
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Task> m_tasks;
    bool m_stopping = false;
    std::thread m_thread; // last: starts when the rest is there
};

} // namespace roundpipe::device
