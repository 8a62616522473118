// Where a run says how it goes, and where the session door reads it: a latest-wins snapshot and a queue that loses
// nothing. The run's thread writes, any one other thread reads.
#pragma once

#include "base/error.h"
#include "session/engine.h"

#include <atomic>
#include <deque>
#include <mutex>

namespace roundpipe::engine {

class StatusBoard {
public:
    // Run's thread.
    void setState(session::RunState state);
    void setActivity(std::string text);
    void planReady(session::RunPlan plan);
    void stepDone(const session::StepMetrics& metrics, double epoch);
    void checkpointSaved(const std::string& path);
    void sampleReady(const std::string& prompt, const std::string& answer, bool tuned);
    void warning(const std::string& text);
    void failed(const Error& error);

    // Any thread.
    session::Snapshot snapshot() const;
    std::vector<session::RunEvent> takeEvents();
    void requestStop() { m_stopRequested.store(true); }
    bool stopRequested() const { return m_stopRequested.load(); }
    void throwIfStopRequested() const; // kCancelled; for work before the first step

private:
    void push(session::RunEvent event);
    void updateRate(const session::StepMetrics& metrics);

    mutable std::mutex m_mutex;
    session::Snapshot m_snapshot;
    std::vector<session::RunEvent> m_events;
    std::deque<session::StepMetrics> m_recent; // for the rate
    std::atomic<bool> m_stopRequested{false};
};

} // namespace roundpipe::engine
