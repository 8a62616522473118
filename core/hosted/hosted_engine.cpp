// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosted/hosted_engine.h"

#include "base/error.h"
#include "runs/last_minute.h"
#include "session/run/moved_folder.h"
#include "session/serialise.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::hosted {
namespace {

using session::RunEvent;
using session::RunState;

constexpr auto kAnyTime = std::filesystem::file_time_type::min();
constexpr std::size_t kMostRecordsKept = 4 << 20; // that nobody has taken yet

// What may have ended the process, by the signal that did.
std::string adviceAfter(int signal) {
    switch (signal) {
    case SIGKILL:
        return " A process that is killed (signal 9) is often one too many for the machine's memory.";
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGABRT:
        return " Such a signal is a fault of the program, of a driver or of the machine: a debug report of the run "
               "(roundpipe runs report) holds what helps to find it.";
    default:
        return {};
    }
}

RunEvent ofState(RunState state) {
    RunEvent event;
    event.kind = RunEvent::Kind::kStateChanged;
    event.state = state;
    return event;
}

} // namespace

std::unique_ptr<HostedEngine> HostedEngine::following(const std::filesystem::path& runFolder) {
    auto engine = std::make_unique<HostedEngine>(std::vector<std::string>());
    engine->m_folder = runFolder;
    Descriptor socket = connectTo(runFolder);
    engine->m_processFollowed = processBehind(socket);
    engine->begin(std::move(socket), "");
    return engine;
}

HostedEngine::~HostedEngine() {
    leave();
}

void HostedEngine::start(session::RunJob job) {
    session::validate(job);
    {
        const std::lock_guard lock(m_mutex);
        if (m_isUnderWay || m_command.empty())
            throw Error(ErrorKind::kInternal, "A run is under way; it must end before another starts.");
    }
    leave();
    m_folder = job.spec.output.folder;
    m_process = std::make_unique<EngineProcess>(m_command);
    begin(m_process->takeSocket(), framed(MessageKind::kStart, session::toJson(job)));
}

void HostedEngine::begin(Descriptor socket, const std::string& firstWords) {
    m_socket = std::move(socket);
    m_wake = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    RP_CHECK(m_wake);
    m_reader = {};
    m_begunAt = std::filesystem::file_time_type::clock::now();
    {
        const std::lock_guard lock(m_mutex);
        m_isUnderWay = true;
        m_leaves = false;
        m_outgoing.clear();
        m_snapshot = {};
        m_snapshot.state = RunState::kPreparing;
        m_events.clear();
        m_lastSnapshot.reset();
        m_lastEvent.reset();
        m_records.clear();
        m_open.clear();
        m_dropped = m_droppedHere = 0;
    }
    say(framed(MessageKind::kHello, ROUNDPIPE_VERSION "\ntrace") + firstWords);
    m_thread = std::thread([this] { follow(); });
}

void HostedEngine::leave() {
    if (!m_thread.joinable()) return;
    {
        const std::lock_guard lock(m_mutex);
        m_leaves = true;
    }
    say("");
    m_thread.join();
}

void HostedEngine::say(const std::string& framedMessage) {
    const std::lock_guard lock(m_mutex);
    m_outgoing += framedMessage;
    const uint64_t once = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wake.get(), &once, sizeof once);
}

void HostedEngine::send(session::Command command) {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isUnderWay) return;
    }
    say(framed(MessageKind::kCommand, session::toJson(command)));
}

void HostedEngine::wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_isUnderWay; });
}

session::Snapshot HostedEngine::snapshot() const {
    const std::lock_guard lock(m_mutex);
    return m_snapshot;
}

std::vector<RunEvent> HostedEngine::takeEvents() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_events, {});
}

void HostedEngine::takeTrace(std::vector<trace::Record>& out) {
    const std::lock_guard lock(m_mutex);
    out.insert(out.end(), m_records.begin(), m_records.end());
    m_records.clear();
}

std::vector<trace::Record> HostedEngine::openSlices() const {
    const std::lock_guard lock(m_mutex);
    return m_open;
}

uint64_t HostedEngine::numTraceRecordsDropped() const {
    const std::lock_guard lock(m_mutex);
    return m_dropped + m_droppedHere;
}

void HostedEngine::follow() {
    std::string outgoing, cause;
    try {
        while (exchange(outgoing)) {
            const std::lock_guard lock(m_mutex);
            if (m_leaves) return; // what was to be said is on its way: it is short
        }
    } catch (const std::exception& error) {
        cause = std::string("what it said is not understood: ") + error.what();
        if (cause.ends_with('.')) cause.pop_back(); // the sentence goes on
    }
    m_socket.close();
    {
        const std::lock_guard lock(m_mutex);
        if (m_lastEvent) publishEnd();
    }
    if (!waitForProcess()) return;
    const std::string death = m_process ? m_process->causeOfDeath() : "";
    const std::lock_guard lock(m_mutex);
    if (m_isUnderWay) end(cause.empty() ? death : cause);
}

bool HostedEngine::exchange(std::string& outgoing) {
    pollfd watched[] = {{m_socket.get(), static_cast<short>(outgoing.empty() ? POLLIN : POLLIN | POLLOUT), 0},
                        {m_wake.get(), POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0 && errno != EINTR) return false;
    uint64_t times = 0;
    [[maybe_unused]] const ssize_t count = ::read(m_wake.get(), &times, sizeof times);
    {
        const std::lock_guard lock(m_mutex);
        outgoing += std::exchange(m_outgoing, {});
    }
    const bool writes = writeAvailable(m_socket, outgoing);
    std::string bytes;
    const bool reads = readAvailable(m_socket, bytes);
    m_reader.add(bytes);
    while (const std::optional<Message> message = m_reader.take())
        handle(*message);
    return reads && writes;
}

void HostedEngine::handle(const Message& message) {
    switch (message.kind) {
    case MessageKind::kEvent:
        handle(session::fromJson<RunEvent>(message.body));
        break;
    case MessageKind::kSnapshot: {
        session::Snapshot snapshot = session::fromJson<session::Snapshot>(message.body);
        const std::lock_guard lock(m_mutex);
        if (session::isOver(snapshot.state))
            m_lastSnapshot = std::move(snapshot);
        else if (snapshot.state != RunState::kIdle) // it has not heard of its run yet
            m_snapshot = std::move(snapshot);
        break;
    }
    case MessageKind::kTrace: {
        std::vector<trace::Record> records;
        session::unpackRecords(message.body, records);
        const std::lock_guard lock(m_mutex);
        if (m_records.size() + records.size() > kMostRecordsKept)
            m_droppedHere += records.size();
        else
            m_records.insert(m_records.end(), records.begin(), records.end());
        break;
    }
    case MessageKind::kOpenSlices: {
        std::vector<trace::Record> open;
        session::unpackRecords(message.body, open);
        const std::lock_guard lock(m_mutex);
        m_open = std::move(open);
        break;
    }
    case MessageKind::kDropped: {
        const std::lock_guard lock(m_mutex);
        const auto* const end = message.body.data() + message.body.size();
        uint64_t dropped = 0;
        if (const auto [stopped, failed] = std::from_chars(message.body.data(), end, dropped);
            failed != std::errc() || stopped != end)
            throw invalidInput("'" + message.body.substr(0, 20) + "' is no number of records.");
        m_dropped = dropped;
        break;
    }
    case MessageKind::kEnd: {
        const std::lock_guard lock(m_mutex);
        publishEnd();
        break;
    }
    case MessageKind::kHello:
    case MessageKind::kStart:
    case MessageKind::kCommand:
        throw invalidInput("a follower's message came from the run.");
    }
}

void HostedEngine::handle(RunEvent event) {
    if (const auto folder = session::movedFolder(event)) m_folder = *folder;
    const std::lock_guard lock(m_mutex);
    if (event.kind == RunEvent::Kind::kStateChanged && session::isOver(event.state))
        m_lastEvent = std::move(event);
    else
        m_events.push_back(std::move(event));
}

bool HostedEngine::waitForProcess() {
    while (m_process) {
        pollfd watched[] = {{m_process->ended(), POLLIN, 0}, {m_wake.get(), POLLIN, 0}};
        if (::poll(watched, 2, -1) < 0 && errno != EINTR) return true;
        if (watched[0].revents != 0) return true;
        uint64_t times = 0;
        [[maybe_unused]] const ssize_t count = ::read(m_wake.get(), &times, sizeof times);
        const std::lock_guard lock(m_mutex);
        if (m_leaves) return false;
    }
    return true;
}

// The mutex is held, as in publishEnd().
void HostedEngine::end(const std::string& cause) {
    RunEvent problem;
    problem.kind = RunEvent::Kind::kError;
    problem.text = "The process that trained has ended before its run" + (cause.empty() ? "." : ": " + cause + ".");
    if (const std::string words = m_process ? m_process->lastWords() : ""; !words.empty())
        problem.text += "\nIts last words:\n" + words;
    if (const std::string log = runs::lastMinuteOf(m_folder, m_process ? m_begunAt : kAnyTime); !log.empty())
        problem.text += "\nThe last minute of its log:\n" + log;
    problem.advice = "What was saved before is whole: where there is a checkpoint, the run goes on from the newest, by "
                     "Continue or train --resume." +
                     adviceAfter(m_process ? m_process->signal() : 0);
    m_events.push_back(std::move(problem));
    m_lastEvent = ofState(RunState::kFailed);
    publishEnd();
}

void HostedEngine::publishEnd() {
    if (!m_isUnderWay || !m_lastEvent) return;
    if (m_lastSnapshot) m_snapshot = std::move(*m_lastSnapshot);
    m_snapshot.state = m_lastEvent->state;
    m_snapshot.pending.clear();
    m_snapshot.remainingSeconds.reset();
    m_open.clear();
    m_events.push_back(std::move(*m_lastEvent));
    m_lastEvent.reset();
    m_isUnderWay = false;
    m_changed.notify_all();
}

} // namespace roundpipe::hosted
