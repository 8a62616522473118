// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/order/order_log.h"

#include <utility>

namespace roundpipe::device {

OrderLog::Line OrderLog::addLine(std::string name) {
    m_lines.push_back(std::move(name));
    return static_cast<Line>(m_lines.size()) - 1;
}

OrderLog::Line OrderLog::thisThread() {
    const auto found = m_threads.find(std::this_thread::get_id());
    if (found != m_threads.end()) return found->second;
    return m_threads[std::this_thread::get_id()] = addLine("a host thread");
}

OrderLog::Note& OrderLog::add(NoteKind kind, Line line) {
    const Line issuer = thisThread();
    Note& note = m_notes.emplace_back();
    note.kind = kind;
    note.line = line == kThisThread ? issuer : line;
    note.issuer = issuer;
    return note;
}

OrderLog::Line OrderLog::addStream(std::string name) {
    const std::scoped_lock lock(m_mutex);
    return addLine(std::move(name));
}

// A thread may have the id of one that is over.
void OrderLog::nameThread(std::string name) {
    const std::scoped_lock lock(m_mutex);
    m_threads[std::this_thread::get_id()] = addLine(std::move(name));
}

void OrderLog::access(Line line, bool isWrite, const void* data, int64_t bytes, const char* name,
                      const std::optional<trace::Record>& span) {
    if (data == nullptr || bytes <= 0) return;
    const std::scoped_lock lock(m_mutex);
    Note& note = add(isWrite ? NoteKind::kWrite : NoteKind::kRead, line);
    note.begin = static_cast<const std::byte*>(data);
    note.bytes = bytes;
    note.name = name;
    note.span = span;
}

int64_t OrderLog::happened(Line line) {
    const std::scoped_lock lock(m_mutex);
    return add(NoteKind::kHappened, line).moment = m_numMoments++;
}

void OrderLog::awaited(Line line, int64_t moment, Awaited why) {
    const std::scoped_lock lock(m_mutex);
    Note& note = add(NoteKind::kAwaited, line);
    note.moment = moment;
    note.awaited = why;
}

void OrderLog::happened(Awaited why, const void* of, int64_t number) {
    const std::scoped_lock lock(m_mutex);
    m_named[{why, of, number}] = add(NoteKind::kHappened, kThisThread).moment = m_numMoments++;
}

void OrderLog::awaited(Awaited why, const void* of, int64_t number) {
    const std::scoped_lock lock(m_mutex);
    const auto found = m_named.find({why, of, number});
    if (found == m_named.end()) return;
    Note& note = add(NoteKind::kAwaited, kThisThread);
    note.moment = found->second;
    note.awaited = why;
}

} // namespace roundpipe::device
