// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_loop_watchdog.h"

#include "base/log.h"
#include "base/units.h"

#include <QCoreApplication>
#include <QEvent>

#include <execinfo.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>

namespace roundpipe::studio {
namespace {

constexpr int kMostFrames = 48;
constexpr int kEveryMs = 20;
constexpr int kForFramesMs = 50; // until the watched thread has written down its frames

// What the handler fills: it may use nothing that allocates or locks.
std::array<void*, kMostFrames> g_frames;
std::atomic<int> g_numFrames{-1}; // -1: not yet

void onSignal(int) {
    g_numFrames = ::backtrace(g_frames.data(), kMostFrames);
}

int64_t processorNsOf(pthread_t thread) {
    clockid_t clock;
    timespec time{};
    if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

QEvent::Type askingType() {
    static const auto type = static_cast<QEvent::Type>(QEvent::registerEventType());
    return type;
}

} // namespace

EventLoopWatchdog::EventLoopWatchdog(int limitMs, std::function<void(const Stall&)> stalled, QObject* parent)
    : QObject(parent), m_limitMs(limitMs), m_stalled(std::move(stalled)), m_watched(::pthread_self()) {
    askingType();
    ::backtrace(g_frames.data(), kMostFrames); // the first call loads a library, which a handler may not
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    ::sigaction(SIGURG, &action, nullptr);
    m_thread = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

EventLoopWatchdog::~EventLoopWatchdog() {
    m_thread.request_stop();
    m_thread.join();
}

bool EventLoopWatchdog::event(QEvent* event) {
    if (event->type() != askingType()) return QObject::event(event);
    {
        const std::lock_guard lock(m_mutex);
        m_hasAnswered = true;
    }
    m_answered.notify_all();
    return true;
}

bool EventLoopWatchdog::answersWithin(std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                                      int64_t milliseconds) {
    return m_answered.wait_for(lock, stop, std::chrono::milliseconds(milliseconds), [this] { return m_hasAnswered; });
}

void EventLoopWatchdog::watch(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        m_hasAnswered = false;
        const int64_t askedNs = steadyNowNs();
        const int64_t processorNs = processorNsOf(m_watched);
        lock.unlock();
        QCoreApplication::postEvent(this, new QEvent(askingType()), Qt::HighEventPriority);
        lock.lock();
        Stall stall;
        if (!answersWithin(lock, stop, m_limitMs) && !stop.stop_requested()) {
            lock.unlock();
            stall.frames = framesOfWatched();
            lock.lock();
            m_answered.wait(lock, stop, [this] { return m_hasAnswered; });
            stall.blockedMs = (steadyNowNs() - askedNs) / 1'000'000;
            stall.processorMs = (processorNsOf(m_watched) - processorNs) / 1'000'000;
            if (m_hasAnswered) m_stalled(stall);
        }
        m_answered.wait_for(lock, stop, std::chrono::milliseconds(kEveryMs), [] { return false; });
    }
}

std::vector<std::string> EventLoopWatchdog::framesOfWatched() const {
    g_numFrames = -1;
    ::pthread_kill(m_watched, SIGURG);
    for (int ms = 0; ms < kForFramesMs && g_numFrames < 0; ++ms)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const int number = g_numFrames;
    if (number <= 0) return {};
    const std::unique_ptr<char*, void (*)(void*)> names(::backtrace_symbols(g_frames.data(), number), std::free);
    if (names == nullptr) return {};
    constexpr int kOfTheHandler = 2; // it, and what called it
    std::vector<std::string> frames;
    for (int i = kOfTheHandler; i < number; ++i)
        frames.emplace_back(names.get()[i]);
    return frames;
}

std::string describe(const Stall& stall) {
    std::string text = "The window stood still for " + std::to_string(stall.blockedMs) + " ms (" +
                       std::to_string(stall.processorMs) + " ms of processor time) in";
    for (const std::string& frame : stall.frames)
        text += "\n  " + frame;
    return text;
}

std::unique_ptr<EventLoopWatchdog> watchdogIfAsked() {
    const int limitMs = qEnvironmentVariableIntValue("ROUNDPIPE_STALL_MS");
    if (limitMs <= 0) return nullptr;
    return std::make_unique<EventLoopWatchdog>(limitMs, [](const Stall& stall) { log::warning(describe(stall)); });
}

} // namespace roundpipe::studio
