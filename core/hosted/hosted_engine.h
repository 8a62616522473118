// SPDX-License-Identifier: GPL-3.0-or-later
// An engine in a process of its own: whatever becomes of it, whoever looks lives on, and the run outlives who looks.
#pragma once

#include "hosted/engine_process.h"
#include "hosted/message.h"
#include "hosted/run_socket.h"
#include "session/engine.h"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::hosted {

// A thread of its own reads what the run's process says. Where that process ends before its run does, the run has
// failed, with what it died of and its last words. Destroying this leaves a run to itself; tell it to stop and wait()
// to end it.
class HostedEngine : public session::Engine {
public:
    // Each start() begins a process by this command, a program and its arguments, which serves the run on its standard
    // input (RunHost::addOwner).
    explicit HostedEngine(std::vector<std::string> command) : m_command(std::move(command)) {}
    // Follows the run that is under way in this folder, whoever began it: its events from the first on, its records
    // from now on. Throws kInvalidInput where there is none, or none that can be followed. start() is refused.
    static std::unique_ptr<HostedEngine> following(const std::filesystem::path& runFolder);
    ~HostedEngine() override;

    int process() const { return m_processFollowed; } // that trains the run which is followed

    using Engine::start;
    void start(session::RunJob job) override;
    void send(session::Command command) override;
    void wait() override;
    bool goesOnAlone() const override { return true; }
    session::Snapshot snapshot() const override;
    std::vector<session::RunEvent> takeEvents() override;
    void takeTrace(std::vector<trace::Record>& out) override;
    std::vector<trace::Record> openSlices() const override;
    uint64_t numTraceRecordsDropped() const override;

private:
    void begin(Descriptor socket, const std::string& firstWords);
    void leave();
    void say(const std::string& framedMessage);

    // The thread that follows.
    void follow();
    bool exchange(std::string& outgoing); // false: the socket is at its end
    void handle(const Message& message);
    void handle(session::RunEvent event);
    bool waitForProcess(); // false: nobody wants to know any more
    void end(const std::string& cause);
    void publishEnd();

    const std::vector<std::string> m_command; // empty: it follows only
    std::unique_ptr<EngineProcess> m_process; // nothing where another program began it
    int m_processFollowed = 0;
    Descriptor m_socket, m_wake;
    std::filesystem::path m_folder;            // of the run's results, where it is by now
    std::filesystem::file_time_type m_begunAt; // to follow it
    MessageReader m_reader;
    std::thread m_thread;

    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    bool m_isUnderWay = false;
    bool m_leaves = false;
    std::string m_outgoing;
    session::Snapshot m_snapshot;
    std::vector<session::RunEvent> m_events;
    // How the run ended, until its last records are there.
    std::optional<session::Snapshot> m_lastSnapshot;
    std::optional<session::RunEvent> m_lastEvent;
    std::vector<trace::Record> m_records, m_open;
    uint64_t m_dropped = 0, m_droppedHere = 0;
};

} // namespace roundpipe::hosted
