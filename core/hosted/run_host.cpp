// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosted/run_host.h"

#include "base/error.h"
#include "base/log.h"
#include "base/units.h"
#include "runs/run_lock.h"
#include "session/serialise.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace roundpipe::hosted {
namespace {

using session::RunEvent;
using session::RunState;

// What waits for a follower that reads slowly: records beyond are dropped, bytes beyond are not made yet.
constexpr std::size_t kMostRecords = 1 << 20;
constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kRecordsAtOnce = 1 << 14;
constexpr std::size_t kMostOfVersion = 32; // in words: whoever speaks may be no program of ours
constexpr int64_t kPatienceNs = 30'000'000'000;

std::vector<RunEvent> refusal(const Error& error) {
    RunEvent problem, end;
    problem.kind = RunEvent::Kind::kError;
    problem.text = error.message();
    problem.advice = error.advice();
    problem.errorKind = error.kind();
    end.kind = RunEvent::Kind::kStateChanged;
    end.state = RunState::kFailed;
    return {problem, end};
}

} // namespace

struct RunHost::Follower {
    Descriptor socket;
    bool mayStart = false;
    bool isKnown = false; // has said hello
    bool wantsTrace = false;
    bool isGone = false;
    bool knowsEnd = false;
    MessageReader reader = {};
    std::string out = {}; // framed, not written yet
    std::size_t numEvents = 0;
    std::string snapshot = {}, open = {}; // as it was told last
    std::vector<trace::Record> records = {};
    uint64_t dropped = 0, toldDropped = 0;
};

RunHost::RunHost(session::Engine& engine) : m_engine(engine) {}

RunHost::~RunHost() = default;

void RunHost::start(session::RunJob job) {
    std::string folder = job.spec.output.folder;
    m_engine.start(std::move(job));
    m_folder = std::move(folder);
}

void RunHost::addOwner(Descriptor socket) {
    m_followers.push_back({.socket = std::move(socket), .mayStart = true});
}

std::vector<RunEvent> RunHost::turn() {
    welcome();
    for (Follower& follower : m_followers)
        hear(follower);
    std::vector<RunEvent> events = collect();
    for (const RunEvent& event : events)
        record(event);
    for (Follower& follower : m_followers)
        tell(follower);
    m_followers.remove_if([](const Follower& follower) { return follower.isGone; });
    return events;
}

bool RunHost::isDone() const {
    if (!isOver()) return false;
    return steadyNowNs() - m_overSinceNs > kPatienceNs ||
           std::all_of(m_followers.begin(), m_followers.end(),
                       [](const Follower& follower) { return follower.knowsEnd && follower.out.empty(); });
}

void RunHost::welcome() {
    if (!m_listener) return;
    while (Descriptor socket = m_listener->accept())
        m_followers.push_back({.socket = std::move(socket)});
}

void RunHost::hear(Follower& follower) {
    std::string bytes;
    follower.isGone = !readAvailable(follower.socket, bytes);
    follower.reader.add(bytes);
    try {
        while (const std::optional<Message> message = follower.reader.take())
            obey(follower, *message);
    } catch (const Error& error) {
        log::warning("A program that followed the run is left: " + error.message());
        follower.isGone = true;
    }
}

void RunHost::obey(Follower& follower, const Message& message) {
    if (!follower.isKnown) {
        const std::string version = message.body.substr(0, message.body.find('\n'));
        if (message.kind != MessageKind::kHello || version != ROUNDPIPE_VERSION)
            throw invalidInput("It is of version '" + version.substr(0, kMostOfVersion) +
                               "', and the run of " ROUNDPIPE_VERSION ".");
        follower.isKnown = true;
        follower.wantsTrace = message.body.size() > version.size();
    } else if (message.kind == MessageKind::kCommand) {
        m_engine.send(session::fromJson<session::Command>(message.body));
    } else if (message.kind == MessageKind::kStart && std::exchange(follower.mayStart, false)) {
        startFor(message);
    } else {
        throw invalidInput("It says what it may not.");
    }
}

void RunHost::startFor(const Message& message) {
    try {
        start(session::fromJson<session::RunJob>(message.body));
    } catch (const Error& error) {
        m_refusal = refusal(error);
    }
}

// The snapshot first: where it says that the run is over, no event comes after these.
std::vector<RunEvent> RunHost::collect() {
    if (m_isCollected) return {};
    m_snapshot = m_engine.snapshot();
    if (isOver()) m_engine.wait(); // its thread has nothing left to do but to end
    if (m_snapshot.state == RunState::kPreparing && !m_snapshot.activities.empty()) openForFollowers();
    std::vector<RunEvent> events = m_engine.takeEvents();
    if (!m_refusal.empty()) {
        events = std::exchange(m_refusal, {});
        m_snapshot.state = RunState::kFailed;
    }
    std::vector<trace::Record> records;
    m_engine.takeTrace(records);
    share(records);
    m_framedSnapshot = framed(MessageKind::kSnapshot, session::toJson(m_snapshot));
    m_framedOpen = framed(MessageKind::kOpenSlices, session::packRecords(m_engine.openSlices()));
    m_isCollected = isOver();
    if (m_isCollected) m_overSinceNs = steadyNowNs();
    return events;
}

void RunHost::record(const RunEvent& event) {
    m_events.push_back(framed(MessageKind::kEvent, session::toJson(event)));
    if (event.kind == RunEvent::Kind::kPlanReady) {
        m_isPlanned = true;
        openForFollowers();
        if (m_listener) m_listener->leaveAsFound(false);
    }
    for (const session::RunText& text : event.coded)
        if (text.code == session::RunTextCode::kFolderMoved || text.code == session::RunTextCode::kFolderGone)
            goOnIn(text.arguments.at(1));
}

// A folder that was moved has the socket under a path that nobody knew, one that was removed took it away.
void RunHost::goOnIn(const std::filesystem::path& folder) {
    if (m_folder.empty()) return;
    m_folder = folder;
    m_listener.reset();
    m_isOpened = false;
    openForFollowers();
}

// Not before the engine does something for the run, or has planned it: until it holds the folder's lock, another run
// may be under way there.
void RunHost::openForFollowers() {
    if (m_folder.empty() || m_isOpened || !runs::RunLock::isHeld(m_folder)) return;
    m_isOpened = true;
    try {
        m_listener = std::make_unique<RunListener>(m_folder);
        m_listener->leaveAsFound(!m_isPlanned); // by a run that is refused
    } catch (const Error& error) {
        log::warning("No other program can follow this run: " + error.message());
    }
}

void RunHost::share(const std::vector<trace::Record>& records) {
    for (Follower& follower : m_followers) {
        if (!follower.wantsTrace) continue;
        const std::size_t taken = std::min(records.size(), kMostRecords - follower.records.size());
        follower.records.insert(follower.records.end(), records.begin(),
                                records.begin() + static_cast<std::ptrdiff_t>(taken));
        follower.dropped += records.size() - taken;
    }
}

void RunHost::tell(Follower& follower) {
    if (follower.isKnown && follower.out.size() < kMostBytes) {
        while (follower.numEvents < m_events.size() && follower.out.size() < kMostBytes)
            follower.out += m_events[follower.numEvents++];
        const bool knowsEvents = follower.numEvents == m_events.size();
        // After the events that led to it: whoever sees a state has heard how it came.
        if (knowsEvents && follower.snapshot != m_framedSnapshot) follower.out += follower.snapshot = m_framedSnapshot;
        if (follower.wantsTrace) tellTrace(follower);
        if (m_isCollected && knowsEvents && follower.records.empty() && !std::exchange(follower.knowsEnd, true))
            follower.out += framed(MessageKind::kEnd, "");
    }
    if (!writeAvailable(follower.socket, follower.out)) follower.isGone = true;
}

void RunHost::tellTrace(Follower& follower) {
    const std::size_t count = std::min(follower.records.size(), kRecordsAtOnce);
    if (count > 0) {
        follower.out += framed(MessageKind::kTrace, session::packRecords(std::span(follower.records).first(count)));
        follower.records.erase(follower.records.begin(), follower.records.begin() + static_cast<std::ptrdiff_t>(count));
    }
    if (follower.open != m_framedOpen) follower.out += follower.open = m_framedOpen;
    const uint64_t dropped = follower.dropped + m_engine.numTraceRecordsDropped();
    if (dropped != std::exchange(follower.toldDropped, dropped))
        follower.out += framed(MessageKind::kDropped, std::to_string(dropped));
}

} // namespace roundpipe::hosted
