// SPDX-License-Identifier: GPL-3.0-or-later
// Begins what waits in line, each run in a process of its own, as soon as its devices are free.
#pragma once

#include "base/error.h"
#include "queue/run_queue.h"
#include "session/engine.h"

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::queue {

// One thread.
class QueueRunner {
public:
    struct News {
        QueuedRun run;
        session::RunState state =
            session::RunState::kIdle; // kPreparing: it has begun; kTraining: it has its folder; else how it ended
        std::string problem, advice;  // where it failed
    };
    // Makes the engine for a run; a HostedEngine, so that a run survives whoever watches the line.
    using EngineMaker = std::function<std::unique_ptr<session::Engine>()>;
    // The devices of runs that others train: theirs wait for these, too. Asked before each beginning.
    using BusyDevices = std::function<std::vector<std::vector<std::string>>()>;

    QueueRunner(RunQueue queue, EngineMaker makeEngine, BusyDevices busy);
    QueueRunner(QueueRunner&&) = delete; // what it owes the line knows where it is

    // One round: what has ended, what begins. Never waits. Where the line can't be written (a full disk), what has
    // ended is written down in a later round, and nothing begins before that.
    std::vector<News> turn();
    std::vector<News> turnWithoutBeginning(); // of a line that is to end
    bool isIdle() const { return m_running.empty(); }
    // Why the line could not be written in the last round; nothing: it could.
    const std::optional<Error>& trouble() const { return m_trouble; }
    // Runs that it has begun are told to stop and save; the line stays.
    void stopAll();

private:
    struct Running {
        QueuedRun run;
        std::unique_ptr<session::Engine> engine;
        std::string problem, advice;
    };
    bool hasEnded(Running& running, std::vector<News>& news);
    void beginNext(std::vector<News>& news);
    void noteEnd(const Running& running, bool failed);
    void writeNotes();

    RunQueue m_queue;
    EngineMaker m_makeEngine;
    BusyDevices m_busy;
    std::list<Running> m_running;
    std::deque<std::function<void()>> m_notes; // what the line is still to be told, in order
    std::optional<Error> m_trouble;
};

} // namespace roundpipe::queue
