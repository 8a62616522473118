// SPDX-License-Identifier: GPL-3.0-or-later
// Lets others follow a run and tell it what to do, while this process trains.
#pragma once

#include "hosted/message.h"
#include "hosted/run_socket.h"
#include "session/engine.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::hosted {

// Stands between an engine and all who look at its run: it alone takes the engine's events and records. One thread.
class RunHost {
public:
    explicit RunHost(session::Engine& engine); // which lives longer
    ~RunHost();

    // As Engine::start(). From its plan on the run can be followed by the socket in its folder; where there can be
    // none, the log says so.
    void start(session::RunJob job);
    // The one who began this process: it may start the run.
    void addOwner(Descriptor socket);

    // One round, thirty times a second: does what followers ask, gives them what is new, and returns this round's
    // events. Waits for nobody: who reads too slowly misses records, and is told how many.
    std::vector<session::RunEvent> turn();
    const session::Snapshot& snapshot() const { return m_snapshot; } // of the last round

    bool hasFollowers() const { return !m_followers.empty(); }
    bool isOver() const { return session::isOver(m_snapshot.state); }
    // The run is over, and all who are there know how it ended, but for those who have not read for half a minute.
    bool isDone() const;

private:
    struct Follower;
    void welcome();
    void hear(Follower& follower);
    void obey(Follower& follower, const Message& message);
    void startFor(const Message& message);
    std::vector<session::RunEvent> collect();
    void record(const session::RunEvent& event);
    void share(const std::vector<trace::Record>& records);
    void tell(Follower& follower);
    void tellTrace(Follower& follower);
    void openForFollowers();
    void goOnIn(const std::filesystem::path& folder);

    session::Engine& m_engine;
    session::Snapshot m_snapshot;
    std::vector<session::RunEvent> m_refusal; // events of a run that never began
    std::vector<std::string> m_events;        // framed, all of the run's
    std::string m_framedSnapshot, m_framedOpen;
    std::filesystem::path m_folder; // of the run's results; empty: none was started, or it has none
    bool m_isCollected = false;     // the run is over, and nothing more comes of it
    int64_t m_overSinceNs = 0;      // 0: it is not
    bool m_isOpened = false;        // for followers, or it was tried
    bool m_isPlanned = false;       // the run: else nothing of its folder is to change
    std::unique_ptr<RunListener> m_listener;
    std::list<Follower> m_followers;
};

} // namespace roundpipe::hosted
