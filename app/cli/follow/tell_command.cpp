// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe stop, roundpipe tell: what the Studio's buttons say to a run, said to one that another process trains.
#include "base/error.h"
#include "commands.h"
#include "console/print_error.h"
#include "console/run_view.h"
#include "console/stop_signal.h"
#include "exit_codes.h"
#include "follow/followed_run.h"
#include "follow/patience.h"
#include "session/spec/no_secret.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace roundpipe::cli {
namespace {

using session::Command;
using session::RunEvent;
using session::RunState;

constexpr int kPatienceSeconds = 15; // with a run that says nothing at all

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

// Where no event has said it.
void sayWhatIsSo(Command::Kind kind, bool wasSo, int64_t step) {
    if (kind == Command::Kind::kPause && wasSo)
        fmt::print("It was paused already, after step {}.\n", step);
    else if (kind == Command::Kind::kResume)
        fmt::print("It {} after step {}.\n", wasSo ? "was not paused; it trains on" : "goes on", step);
}

int giveUp(const FollowedRun& run, const char* whatOfTheCommand) {
    printError(noAnswerOf(run));
    fmt::print(stderr, "{}\n", whatOfTheCommand);
    return kNoAnswer;
}

// Until it says how it stands; what it said before is the run's past. Else what there is to return.
std::optional<int> hearOf(const FollowedRun& run, const StopSignal& leave, int waitSeconds) {
    const Patience patience(waitSeconds > 0 ? waitSeconds : kPatienceSeconds);
    while (run.engine->snapshot().totalSteps == 0 && !session::isOver(run.engine->snapshot().state)) {
        if (leave.requested()) return kStopped;
        if (patience.isOver()) return giveUp(run, "It was told nothing.");
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    run.engine->takeEvents();
    return std::nullopt;
}

// Returns when it was carried out, or the run is over; an interruption leaves the command with the run.
int tell(const std::string& which, const Command& command, int waitSeconds) {
    const FollowedRun run = follow(which);
    session::Engine& engine = *run.engine;
    const StopSignal leave;
    Progress progress(Progress::Style::kLines);
    Patience patience(waitSeconds);
    if (const std::optional<int> over = hearOf(run, leave, waitSeconds)) return *over;
    std::size_t waitsFor = numAnswers(command, engine.snapshot());
    const bool wasSo = waitsFor == 0;
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
        if (patience.isOver()) return giveUp(run, "What it was told stays with it.");
        patience.look(run, progress);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    sayWhatIsSo(command.kind, wasSo, engine.snapshot().step);
    return kSuccess;
}

// `seconds` must outlive `app`.
void addWait(CLI::App& app, int& seconds) {
    app.add_option("--wait", seconds,
                   "Wait for its answer so many seconds at most, then return 13. 0: without a limit, with a warning "
                   "where it stands still. (0)")
        ->check(CLI::Range(0, 1'000'000));
}

} // namespace

CommandBody addStopCommand(CLI::App& app) {
    struct Options {
        std::string run;
        bool discard = false;
        int wait = 0;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhichRun)->required();
    app.add_flag("--discard", options->discard, "Save nothing more; what was saved before stays.");
    addWait(app, options->wait);
    return [options] {
        const Command command{options->discard ? Command::Kind::kStopAndDiscard : Command::Kind::kStop};
        return tell(options->run, command, options->wait);
    };
}

CommandBody addTellCommand(CLI::App& app) {
    struct Options {
        std::string run, what;
        std::vector<std::string> prompts;
        int wait = 0;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhichRun)->required();
    app.add_option("what", options->what,
                   "pause, resume, save (a checkpoint), validate, or sample: answer each --prompt, of which it needs "
                   "one or more.")
        ->required()
        ->check(CLI::IsMember({"pause", "resume", "save", "validate", "sample"}));
    app.add_option("--prompt", options->prompts, "Prompt for sample; may be repeated.");
    addWait(app, options->wait);
    return [options] {
        const Command command{*fromSpelling<Command::Kind>(options->what), options->prompts};
        const bool samples = command.kind == Command::Kind::kSample;
        if (samples && command.prompts.empty())
            throw invalidInput("'sample' has the run answer prompts as it is now, and none was given.",
                               "Add --prompt TEXT, once for each.");
        if (!samples && !command.prompts.empty())
            throw invalidInput("'" + options->what + "' takes no --prompt: it goes with 'sample'.", "Leave it out.");
        for (const std::string& prompt : command.prompts)
            session::requireNoSecret("--prompt", prompt);
        return tell(options->run, command, options->wait);
    };
}

} // namespace roundpipe::cli
