// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where host threads of a pipeline wait for each other: for packets, gradients, versions and endings.
// Everything waited for is a consequence of an earlier slot, so waits cannot form a ring; a fault ends them all.
#pragma once

#include "device/order/order_log.h"
#include "device/streams/event.h"
#include "device/streams/fault.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace roundpipe::pipeline {

// A wait with a deadline lasted too long.
struct Late {};

// Any thread.
class Monitor {
public:
    using Deadline = std::chrono::steady_clock::time_point;
    static constexpr Deadline kNever = Deadline::max();

    // Wakes its waiters when `fault` is raised, for as long as it lives. `notes`: into the log of the run's order, if
    // it has one.
    static std::shared_ptr<Monitor> make(std::shared_ptr<device::Fault> fault, const device::HostNotes& notes) {
        auto monitor = std::make_shared<Monitor>(fault, notes);
        fault->addListener([weak = std::weak_ptr(monitor)] {
            if (const auto alive = weak.lock()) alive->change([] {});
        });
        return monitor;
    }
    Monitor(std::shared_ptr<device::Fault> fault, const device::HostNotes& notes)
        : m_fault(std::move(fault)), m_notes(notes) {}

    // Runs `action` under the lock, then wakes everyone who waits.
    template <class Action>
    void change(Action&& action) {
        {
            const std::scoped_lock lock(m_mutex);
            action();
        }
        m_changed.notify_all();
    }

    // Runs `action`, which changes nothing, under the lock.
    template <class Action>
    void look(Action&& action) {
        const std::scoped_lock lock(m_mutex);
        action();
    }

    // Blocks until `ready()` holds, then returns `result()`, both under the lock. Throws device::Poisoned if the
    // pipeline fails or is taken down first, Late at the deadline.
    template <class Ready, class Result>
    auto waitFor(Ready&& ready, Result&& result, Deadline deadline = kNever) {
        std::unique_lock lock(m_mutex);
        const auto over = [&] { return ready() || m_stopping || m_fault->raised(); };
        if (deadline == kNever)
            m_changed.wait(lock, over);
        else if (!m_changed.wait_until(lock, deadline, over))
            throw Late{};
        if (m_fault->raised() || !ready()) throw device::Poisoned{};
        return result();
    }
    template <class Ready>
    void waitFor(Ready&& ready) {
        waitFor(std::forward<Ready>(ready), [] {});
    }

    // Blocks until the event has happened. Throws as the others: a device that hangs never gets there.
    void await(const device::Event& event, device::Awaited why, Deadline deadline = kNever) const {
        constexpr std::chrono::milliseconds kLook(50);
        while (!event.waitFor(kLook)) {
            throwIfFailed();
            if (std::chrono::steady_clock::now() > deadline) throw Late{};
        }
        event.awaited(why);
    }

    // Whoever is done waiting notes for what; whoever ends a wait of others, that it does.
    const device::HostNotes& notes() const { return m_notes; }

    // Throws device::Poisoned where the pipeline has failed.
    void throwIfFailed() const {
        if (m_fault->raised()) throw device::Poisoned{};
    }

    void stop() {
        change([this] { m_stopping = true; });
    }

private:
    std::shared_ptr<device::Fault> m_fault;
    device::HostNotes m_notes;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_stopping = false;
};

} // namespace roundpipe::pipeline
