// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/order/logged_stream.h"

#include <utility>

namespace roundpipe::device {
namespace {

class LoggedEvent final : public Event::State {
public:
    LoggedEvent(OrderLog& log, int64_t moment, Event event) : m_log(log), m_moment(moment), m_event(std::move(event)) {}

    bool ready() const override { return m_event.ready(); }
    void synchronize() const override { m_event.synchronize(); }
    bool waitFor(std::chrono::nanoseconds time) const override { return m_event.waitFor(time); }
    void awaited(Awaited why) const override { m_log.awaited(OrderLog::kThisThread, m_moment, why); }

    int64_t moment() const { return m_moment; }
    const Event& event() const { return m_event; }

private:
    OrderLog& m_log;
    int64_t m_moment;
    Event m_event; // of the stream that is logged
};

} // namespace

LoggedStream::LoggedStream(std::unique_ptr<Stream> stream, OrderLog& log, const std::string& name)
    : m_stream(std::move(stream)), m_log(log), m_line(log.addStream(name)) {}

void LoggedStream::launch(std::function<void()> work) {
    m_stream->launch(std::move(work));
    issued();
}

std::unique_ptr<const Recording> LoggedStream::recorded(const std::function<void()>& work) {
    return m_stream->recorded(work);
}

void LoggedStream::replay(const Recording& recording) {
    m_stream->replay(recording);
    issued();
}

void LoggedStream::copy(void* to, const void* from, int64_t bytes) {
    reads(from, bytes, "what it copies");
    writes(to, bytes, "what it copies");
    m_stream->copy(to, from, bytes);
    issued();
}

void LoggedStream::openSpan(const trace::Record& what) {
    m_span = what;
    m_stream->openSpan(what);
}

void LoggedStream::closeSpan() {
    m_span.reset();
    m_stream->closeSpan();
}

Event LoggedStream::record() {
    Event event = m_stream->record();
    return Event(std::make_shared<LoggedEvent>(m_log, m_log.happened(m_line), std::move(event)));
}

void LoggedStream::wait(const Event& event, Awaited why) {
    if (why == m_log.leftOut()) return;
    const auto* ofLog = dynamic_cast<const LoggedEvent*>(event.state());
    if (ofLog) m_log.awaited(m_line, ofLog->moment(), why);
    m_stream->wait(ofLog ? ofLog->event() : event, why);
}

void LoggedStream::hostWaits() {
    m_stream->hostWaits();
}

void LoggedStream::synchronize() {
    m_stream->synchronize();
}

void LoggedStream::reads(const void* data, int64_t bytes, const char* name) {
    m_log.access(m_line, false, data, bytes, name, m_span);
}

void LoggedStream::writes(const void* data, int64_t bytes, const char* name) {
    m_log.access(m_line, true, data, bytes, name, m_span);
}

} // namespace roundpipe::device
