// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe queue run: trains what waits, each run in a process of its own.
#include "base/error.h"
#include "base/program_file.h"
#include "base/user_folders.h"
#include "commands.h"
#include "console/stop_signal.h"
#include "exit_codes.h"
#include "hosted/hosted_engine.h"
#include "queue/queue_runner.h"
#include "runs/run_library.h"
#include "runs/run_lock.h"

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
    std::string whenDone;
};

// Of all runs that are under way, by whomever they were begun.
std::vector<std::vector<std::string>> busyDevices() {
    std::vector<std::vector<std::string>> busy;
    for (const runs::StoredRun& run : runs::RunLibrary::ofUser().list())
        if (run.outcome == runs::RunOutcome::kRunning) busy.push_back(runs::specOf(run.folder).engine.devices);
    return busy;
}

std::unique_ptr<session::Engine> makeHost() {
    const std::string program = (programFolder() / "roundpipe").string();
    return std::make_unique<hosted::HostedEngine>(std::vector<std::string>{program, "host"});
}

void tell(const QueueRunner::News& news) {
    const std::string name = fmt::format("{}  {}", news.run.number, news.run.spec.name);
    if (news.state == RunState::kPreparing)
        fmt::print("{}: begun, in {}\n", name, news.run.spec.output.folder);
    else
        fmt::print("{}: {}\n", name, spellingOf(news.state));
    std::fflush(stdout);
    if (!news.problem.empty()) fmt::print(stderr, "{}: {}\n{}\n", name, news.problem, news.advice);
}

// A list that can't be kept is no reason to hold the line up.
void listRun(const queue::QueuedRun& run) {
    try {
        if (runs::isRunFolder(run.spec.output.folder)) runs::linkRun(run.spec.output.folder, runs::runsFolder());
    } catch (const Error& error) {
        fmt::print(stderr, "`runs list` will not show run {}: {}\n", run.number, error.message());
    }
}

// By systemd, which asks nobody where the user is at the machine.
void sleepNow() {
    const char* arguments[] = {"systemctl", "suspend", nullptr};
    pid_t process = 0;
    int status = -1;
    if (::posix_spawnp(&process, arguments[0], nullptr, nullptr, const_cast<char**>(arguments), environ) != 0 ||
        ::waitpid(process, &status, 0) != process || status != 0)
        throw unsupported("The machine could not be put to sleep: `systemctl suspend` failed.");
}

runs::RunLock onlyOne() {
    const std::filesystem::path folder = userDataFolder() / "queue";
    std::filesystem::create_directories(folder);
    try {
        return runs::RunLock(folder);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kInvalidInput) throw;
        throw invalidInput("Another `roundpipe queue run` trains what waits already.", "It takes what is added, too.");
    }
}

int runQueue(const RunOptions& options) {
    const runs::RunLock lock = onlyOne();
    const StopSignal stop;
    QueueRunner runner(queue::RunQueue::ofUser(), makeHost, busyDevices);
    bool stopping = false;
    int numFailed = 0;
    for (;;) {
        const std::vector<QueueRunner::News> all = stopping ? runner.turnWithoutBeginning() : runner.turn();
        for (const QueueRunner::News& news : all) {
            tell(news);
            if (news.state == RunState::kFailed) ++numFailed;
            if (session::isOver(news.state)) listRun(news.run);
        }
        const bool nothingLeft = stopping || (!options.stays && queue::RunQueue::ofUser().waiting().empty());
        if (runner.isIdle() && nothingLeft) break;
        if (stop.requested() && !std::exchange(stopping, true)) {
            fmt::print("stopping after the running steps; what waits stays in the line\n");
            runner.stopAll();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    if (stopping) return kStopped;
    if (options.whenDone == "sleep") sleepNow();
    return numFailed == 0 ? kSuccess : kRunsFailed;
}

} // namespace

CommandBody addQueueRunCommand(CLI::App& app) {
    const auto options = std::make_shared<RunOptions>();
    app.add_flag("--stay", options->stays, "Wait for more when the line is empty.");
    app.add_option("--when-done", options->whenDone, "sleep: put the machine to sleep when the line is empty.")
        ->check(CLI::IsMember({"sleep"}));
    return [options] { return runQueue(*options); };
}

} // namespace roundpipe::cli
