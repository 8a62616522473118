// SPDX-License-Identifier: GPL-3.0-or-later
// A point in a stream's order that others can wait for.
#pragma once

#include "device/streams/awaited.h"

#include <chrono>
#include <memory>

namespace roundpipe::device {

// A cheap handle; made by Stream::record(). A default-constructed event has already happened. Any thread.
class Event {
public:
    class State {
    public:
        virtual ~State() = default;
        virtual bool ready() const = 0;
        virtual void synchronize() const = 0;                          // blocks the calling host thread
        virtual bool waitFor(std::chrono::nanoseconds time) const = 0; // the same, but no longer; false: not yet
        virtual void awaited(Awaited) const {}
    };

    Event() = default;
    explicit Event(std::shared_ptr<const State> state) : m_state(std::move(state)) {}

    bool ready() const { return !m_state || m_state->ready(); }
    void synchronize() const {
        if (m_state) m_state->synchronize();
    }
    bool waitFor(std::chrono::nanoseconds time) const { return !m_state || m_state->waitFor(time); }
    // Notes that the calling host thread has waited, and for what: it goes on by what came before the event. For a log
    // of the run's order (device/order); nothing without one.
    void awaited(Awaited why) const {
        if (m_state) m_state->awaited(why);
    }
    const State* state() const { return m_state.get(); }
    const std::shared_ptr<const State>& shared() const { return m_state; }

private:
    std::shared_ptr<const State> m_state;
};

} // namespace roundpipe::device
