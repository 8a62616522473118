// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run's thread and the session door meet: commands go one way; a latest-wins snapshot, and events of which none
// is lost, the other. Every engine has one, so that commands mean the same in all of them.
#pragma once

#include "session/engine.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::session {

class StatusBoard {
public:
    // Run's thread.
    // From a request to stop on the state stays kStopping until the run is over.
    void setState(RunState state);
    void setActivities(std::vector<Activity> activities);
    void planReady(RunPlan plan);
    void stepDone(const StepMetrics& metrics, double epoch);
    void checkpointSaved(const std::string& path, int64_t step); // any thread; `step`: it holds what that left
    void checkpointSaved(const RunText& insteadOfPath);
    void sampleReady(const std::string& prompt, const std::string& answer, bool tuned);
    void sampleReady(const std::string& prompt, const RunText& insteadOfAnswer, bool tuned);
    void warning(std::vector<RunText> sentences); // any thread
    void failed(const Error& error);

    // What a run does when told to.
    struct Actions {
        std::function<void()> save;
        std::function<std::optional<double>()> validate; // the loss; nothing where there are no validation rows
        std::function<void(const std::vector<std::string>& prompts)> sample;
        std::function<void(int64_t fromNs, int64_t toNs)> rested = {}; // has done nothing, being paused
        std::function<void()> look = {}; // once a second of a pause; what it throws ends the run
    };
    // Between two steps, and after all that follows the last one: carries out all commands that wait, and stays here
    // while the run is paused. Returns with the state that it found, or because a stop was asked for.
    void carryOutCommands(const Actions& actions);
    bool hasCommands() const; // that wait to be carried out

    // Any thread.
    void setMachine(MachineStatus machine);
    void send(Command command);
    bool stopRequested() const;
    bool discardRequested() const;     // nothing more is to be written
    void throwIfStopRequested() const; // kCancelled; for work before the first step
    Snapshot snapshot() const;
    std::vector<RunEvent> takeEvents();

private:
    enum class Stop { kNone, kAndSave, kAndDiscard };

    void enter(RunState state);
    void setPaused(bool isPaused);
    void refuseCommands();
    void validated(std::optional<double> loss);
    void warn(std::vector<RunText> sentences);
    void push(RunEvent event);
    RunEvent eventOf(RunEvent::Kind kind) const;
    void updateRate(const StepMetrics& metrics);
    std::optional<Command> nextCommand(bool waitForOne, const std::function<void()>& look);
    double elapsedSeconds() const;
    void updateRemaining(const StepMetrics& metrics);

    mutable std::mutex m_mutex; // guards all of it
    std::condition_variable m_told;
    Snapshot m_snapshot;
    std::vector<RunEvent> m_events;
    std::deque<Command> m_commands;
    Stop m_stop = Stop::kNone;
    std::deque<StepMetrics> m_recent; // for the rate
    int64_t m_stateSinceNs = 0;
    int64_t m_stepDoneNs = 0;      // the newest one; 0: none yet
    int64_t m_obeyedNs = 0;        // since then, that commands and pauses took
    double m_betweenSeconds = 0;   // of all steps so far: what is done beside training, as it was due
    int64_t m_numBetween = 0;      // steps over which that was summed
    double m_answeringSeconds = 0; // before the first step, as it will be after the last
    double m_elapsedSeconds = 0;   // until the clock began to run again
    int64_t m_clockStartNs = 0;    // 0: it stands
};

} // namespace roundpipe::session
