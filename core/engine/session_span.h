// SPDX-License-Identifier: GPL-3.0-or-later
// What the run's own thread is busy with, as a slice of the session lane.
#pragma once

#include "base/units.h"
#include "trace/recording/recorder.h"

namespace roundpipe::engine {

// From its construction to its end, and seen meanwhile. One thread at a time puts into `producer`.
class SessionSpan {
public:
    SessionSpan(trace::Producer& producer, int numDevices, trace::Kind kind) : m_producer(producer) {
        m_record.kind = kind;
        m_record.lane = trace::hostLane(numDevices, trace::LaneRole::kSession);
        m_record.startNs = m_record.queuedNs = steadyNowNs();
        m_producer.begin(m_record);
    }
    ~SessionSpan() {
        m_record.endNs = steadyNowNs();
        m_producer.put(m_record);
    }
    SessionSpan(const SessionSpan&) = delete;
    SessionSpan& operator=(const SessionSpan&) = delete;

private:
    trace::Producer& m_producer;
    trace::Record m_record;
};

} // namespace roundpipe::engine
