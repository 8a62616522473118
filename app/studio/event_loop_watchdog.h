// SPDX-License-Identifier: GPL-3.0-or-later
// A development aid: notices when the window does not answer, for how long, and what it was at.
#pragma once

#include <QObject>

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::studio {

// The event loop answered late.
struct Stall {
    int64_t blockedMs = 0;
    int64_t processorMs = 0; // of the GUI's thread meanwhile; much less than `blockedMs`: it waited, or was kept
                             // waiting by other programs
    std::vector<std::string> frames; // of the GUI's thread when the limit was reached, innermost first
};

// Watches the thread that makes it, from one of its own, which asks fifty times a second for a sign of life. Takes the
// signal SIGURG. One of it in a program.
class EventLoopWatchdog : public QObject {
    Q_OBJECT
public:
    // `stalled`: called in the watching thread.
    EventLoopWatchdog(int limitMs, std::function<void(const Stall&)> stalled, QObject* parent = nullptr);
    ~EventLoopWatchdog() override;

protected:
    bool event(QEvent* event) override;

private:
    void watch(const std::stop_token& stop);
    bool answersWithin(std::unique_lock<std::mutex>& lock, const std::stop_token& stop, int64_t milliseconds);
    std::vector<std::string> framesOfWatched() const;

    const int m_limitMs;
    const std::function<void(const Stall&)> m_stalled;
    const pthread_t m_watched;
    std::mutex m_mutex; // guards the next one
    bool m_hasAnswered = true;
    std::condition_variable_any m_answered;
    std::jthread m_thread; // the last member: it ends before what it uses
};

// "The window stood still for 240 ms (230 ms of processor time) in", then a frame a line.
std::string describe(const Stall& stall);

// As the environment asks for: with ROUNDPIPE_STALL_MS=100 one that writes what takes longer to the log; else none.
std::unique_ptr<EventLoopWatchdog> watchdogIfAsked();

} // namespace roundpipe::studio
