// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe stop, roundpipe tell: what the Studio's buttons say to a run, said to one that another process trains.
#include "base/error.h"
#include "base/units.h"
#include "commands.h"
#include "console/run_view.h"
#include "console/stop_signal.h"
#include "exit_codes.h"
#include "follow/followed_run.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace roundpipe::cli {
namespace {

using session::Command;
using session::RunEvent;
using session::RunState;

constexpr int64_t kPatienceNs = 15'000'000'000; // with a run that says nothing

// What of a run's events answers a command.
bool answers(const RunEvent& event, Command::Kind kind) {
    const bool isWarning = event.kind == RunEvent::Kind::kWarning;
    switch (kind) {
    case Command::Kind::kSave:
        return isWarning || event.kind == RunEvent::Kind::kCheckpointSaved;
    case Command::Kind::kValidate:
        return isWarning || event.kind == RunEvent::Kind::kValidated;
    case Command::Kind::kSample:
        return isWarning || event.kind == RunEvent::Kind::kSampleReady;
    case Command::Kind::kPause:
        return isWarning || (event.kind == RunEvent::Kind::kStateChanged && event.state == RunState::kPaused);
    case Command::Kind::kResume:
        return isWarning || (event.kind == RunEvent::Kind::kStateChanged && event.state == RunState::kTraining);
    case Command::Kind::kStop:
    case Command::Kind::kStopAndDiscard:
        return false; // the end does
    }
    return false;
}

// How often the command is answered: by each prompt, or once; not at all where it asks for what is so already.
std::size_t numAnswers(const Command& command, const session::Snapshot& snapshot) {
    if (command.kind == Command::Kind::kSample) return command.prompts.size();
    const bool isSo = (command.kind == Command::Kind::kPause && snapshot.isPaused) ||
                      (command.kind == Command::Kind::kResume && !snapshot.isPaused);
    return isSo ? 0 : 1;
}

// Until it says how it stands; what it said before is the run's past. False: the user did not want to wait.
bool hearOf(session::Engine& engine, const std::string& name, const StopSignal& leave) {
    const int64_t begin = steadyNowNs();
    while (engine.snapshot().totalSteps == 0 && !session::isOver(engine.snapshot().state)) {
        if (leave.requested()) return false;
        if (steadyNowNs() - begin > kPatienceNs)
            throw Error(ErrorKind::kIo, "The run '" + name + "' does not answer.",
                        "Its process may be stopped, or hang; its log and its journal say how far it came.");
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    engine.takeEvents();
    return true;
}

// Returns when it was carried out, or the run is over; an interruption leaves the command with the run.
int tell(const std::string& which, const Command& command) {
    const FollowedRun run = follow(which);
    session::Engine& engine = *run.engine;
    const StopSignal leave;
    Progress progress(Progress::Style::kLines);
    if (!hearOf(engine, run.name, leave)) return kStopped;
    std::size_t waitsFor = numAnswers(command, engine.snapshot());
    engine.send(command);
    while (waitsFor > 0) {
        const session::Snapshot snapshot = engine.snapshot();
        for (const RunEvent& event : engine.takeEvents()) {
            if (!answers(event, command.kind)) continue;
            RunView(progress).show(event, snapshot);
            if (--waitsFor == 0) break;
        }
        if (session::isOver(snapshot.state)) {
            fmt::print("{} after step {}\n", spellingOf(snapshot.state), snapshot.step);
            return snapshot.state == RunState::kFailed ? kInternalError : kSuccess;
        }
        if (leave.requested()) return kStopped;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return kSuccess;
}

} // namespace

CommandBody addStopCommand(CLI::App& app) {
    struct Options {
        std::string run;
        bool discard = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhichRun)->required();
    app.add_flag("--discard", options->discard, "Save nothing more; what was saved before stays.");
    return [options] {
        return tell(options->run, {options->discard ? Command::Kind::kStopAndDiscard : Command::Kind::kStop});
    };
}

CommandBody addTellCommand(CLI::App& app) {
    struct Options {
        std::string run, what;
        std::vector<std::string> prompts;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhichRun)->required();
    app.add_option("what", options->what,
                   "pause, resume, save (a checkpoint), validate, or sample: answer each --prompt.")
        ->required()
        ->check(CLI::IsMember({"pause", "resume", "save", "validate", "sample"}));
    app.add_option("--prompt", options->prompts, "Prompt for sample; may be repeated.");
    return [options] {
        const Command command{*fromSpelling<Command::Kind>(options->what), options->prompts};
        if ((command.kind == Command::Kind::kSample) == command.prompts.empty())
            throw invalidInput("--prompt goes with 'sample', and 'sample' with at least one.");
        return tell(options->run, command);
    };
}

} // namespace roundpipe::cli
