// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe queue run: trains what waits, each run in a process of its own.
#include "base/error.h"
#include "base/program_file.h"
#include "commands.h"
#include "console/standard_output.h"
#include "console/stop_signal.h"
#include "exit_codes.h"
#include "hosted/hosted_engine.h"
#include "queue/queue_choices.h"
#include "queue/train_line.h"
#include "runs/run_library.h"
#include "runs/run_lock.h"
#include "runs/stored_run.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace roundpipe::cli {
namespace {

using queue::QueueRunner;
using session::RunState;

struct RunOptions {
    bool stays = false;
    std::string whenDone, afterError; // empty: as it was chosen before
};

// A list that can't be kept is no reason to hold the line up.
void listRun(int64_t number, const std::filesystem::path& folder) {
    try {
        if (runs::isRunFolder(folder)) runs::linkRun(folder, runs::runsFolder());
    } catch (const Error& error) {
        fmt::print(stderr, "`runs list` will not show run {}: {}\n", number, error.message());
    }
}

// Nobody was there to say it when it happened.
void tellHowItEnded(const queue::BegunRun& begun) {
    try {
        if (!runs::isRunFolder(begun.folder)) return;
        const runs::StoredRun run = runs::readRun(begun.folder);
        fmt::print("{}  {}: {} after step {}\n", begun.number, begun.name, spellingOf(run.outcome), run.steps);
        if (run.outcome == runs::RunOutcome::kInterrupted)
            fmt::print("    `roundpipe train --continue {}` goes on from its newest checkpoint\n",
                       begun.folder.string());
    } catch (const Error& error) {
        fmt::print(stderr, "How run {} ended is not known: {}\n", begun.number, error.message());
    }
}

// Runs outlive whoever trained the line, and one that was killed has listed none of his, nor written down how they
// ended.
void settleBegun(queue::RunQueue& line) {
    std::vector<int64_t> ended;
    for (const queue::BegunRun& run : line.begun()) {
        listRun(run.number, run.folder);
        if (run.hasEnded || runs::RunLock::isHeld(run.folder)) continue;
        ended.push_back(run.number);
        tellHowItEnded(run);
    }
    line.noteEnds(ended);
}

// Of all runs that are under way, by whomever they were begun.
std::vector<std::vector<std::string>> busyDevices() {
    std::vector<std::vector<std::string>> busy;
    for (const runs::StoredRun& run : runs::RunLibrary::ofUser().list())
        if (run.outcome == runs::RunOutcome::kRunning) busy.push_back(runs::devicesAskedBy(run.folder));
    return busy;
}

std::unique_ptr<session::Engine> makeHost() {
    const std::string program = (programFolder() / "roundpipe").string();
    return std::make_unique<hosted::HostedEngine>(std::vector<std::string>{program, "host"});
}

void tell(const QueueRunner::News& news) {
    if (news.state == RunState::kTraining) return;
    const std::string name = fmt::format("{}  {}", news.run.number, news.run.spec.name);
    if (news.state == RunState::kPreparing)
        fmt::print("{}: begun, in {}\n", name, news.run.spec.output.folder);
    else
        fmt::print("{}: {}\n", name, spellingOf(news.state));
    std::fflush(stdout);
    if (!news.problem.empty()) fmt::print(stderr, "{}: {}\n{}\n", name, news.problem, news.advice);
}

bool suspend() {
    const char* arguments[] = {"systemctl", "suspend", nullptr};
    pid_t process = 0;
    int status = -1;
    return ::posix_spawnp(&process, arguments[0], nullptr, nullptr, const_cast<char**>(arguments), environ) == 0 &&
           ::waitpid(process, &status, 0) == process && status == 0;
}

// By systemd, which asks nobody where the user is at the machine. A window that has kept the machine awake for the last
// run lets go of it some seconds after its end.
void sleepNow() {
    constexpr int kMostTries = 4;
    for (int i = 0; i < kMostTries; ++i) {
        if (i > 0) std::this_thread::sleep_for(std::chrono::seconds(3));
        if (suspend()) return;
    }
    throw unsupported("The machine could not be put to sleep: `systemctl suspend` failed.");
}

// Runs that this line did not begin would sleep, too.
bool othersHaveEnded(const StopSignal& stop) {
    if (!busyDevices().empty()) fmt::print("waiting for other runs, then the machine sleeps\n");
    while (!busyDevices().empty() && !stop.requested())
        std::this_thread::sleep_for(std::chrono::seconds(1));
    return !stop.requested();
}

// What was chosen for the next time that the line is empty holds for this one.
bool takeSleep(queue::RunQueue& line) {
    if (line.contents().choices.whenDone != queue::WhenDone::kSleep) return false;
    line.choose([](queue::QueueChoices& choices) { choices.whenDone = queue::WhenDone::kNothing; });
    return true;
}

int runQueue(const RunOptions& options) {
    queue::RunQueue line = queue::RunQueue::ofUser();
    const runs::RunLock lock = line.lockForTraining();
    line.choose([&](queue::QueueChoices& choices) {
        choices.isPaused = false;
        apply(options.whenDone, options.afterError, choices);
    });
    settleBegun(line);
    const StopSignal stop;
    const GoesOnUnread goesOn;
    QueueRunner runner(line, makeHost, busyDevices);
    int numFailed = 0;
    queue::LineWatch watch;
    watch.stays = options.stays;
    watch.stopRequested = [&] { return stop.requested(); };
    watch.onStopping = [] { fmt::print("stopping after the running steps; what waits stays in the line\n"); };
    watch.onNews = [&](const QueueRunner::News& news) {
        tell(news);
        if (news.state == RunState::kFailed) ++numFailed;
        if (news.state != RunState::kPreparing) listRun(news.run.number, news.run.spec.output.folder);
    };
    watch.onTrouble = [](const Error& error) {
        fmt::print(stderr, "{}\n{} The line is written and goes on as soon as it can be; nothing begins before.\n",
                   error.message(), error.advice());
    };
    const queue::LineEnd end = queue::trainLine(line, runner, watch);
    if (end == queue::LineEnd::kStopped) return kStopped;
    if (end == queue::LineEnd::kPaused) fmt::print("paused; `roundpipe queue run` goes on\n");
    if (end == queue::LineEnd::kEmpty && takeSleep(line) && othersHaveEnded(stop)) sleepNow();
    return numFailed == 0 ? kSuccess : kRunsFailed;
}

} // namespace

CommandBody addQueueRunCommand(CLI::App& app) {
    const auto options = std::make_shared<RunOptions>();
    app.add_flag("--stay", options->stays, "Wait for more when the line is empty.");
    addQueueChoices(app, options->whenDone, options->afterError);
    return [options] { return runQueue(*options); };
}

} // namespace roundpipe::cli
