// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe queue: runs that wait in line, and grids over their settings.
#include "commands.h"
#include "exit_codes.h"
#include "queue/queue_choices.h"
#include "queue/run_queue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace roundpipe::cli {
namespace {

using queue::RunQueue;

CommandBody addMove(CLI::App& app) {
    struct Options {
        int64_t number = 0;
        std::size_t place = 1;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("number", options->number, "The run, as `queue list` numbers it.")->required();
    app.add_option("--to", options->place, "Its place from now on; 1 is next (1).")->check(CLI::Range(1, 1'000'000));
    return [options] {
        RunQueue line = RunQueue::ofUser();
        line.move(options->number, options->place - 1);
        const std::vector<queue::QueuedRun> waiting = line.contents().waiting;
        const auto run = std::ranges::find(waiting, options->number, &queue::QueuedRun::number);
        if (run == waiting.begin())
            fmt::print("Run {} is next.\n", options->number);
        else if (run != waiting.end()) // it has not begun meanwhile
            fmt::print("Run {} is number {} of the {} that wait.\n", options->number, run - waiting.begin() + 1,
                       waiting.size());
        return static_cast<int>(kSuccess);
    };
}

CommandBody addRemove(CLI::App& app) {
    const auto numbers = std::make_shared<std::vector<int64_t>>();
    app.add_option("numbers", *numbers, "Runs, as `queue list` numbers them.")->required();
    return [numbers] {
        RunQueue::ofUser().remove(*numbers);
        fmt::print("Taken out of the line: {}.\n", fmt::join(*numbers, ", "));
        return static_cast<int>(kSuccess);
    };
}

CommandBody addPause(CLI::App&) {
    return [] {
        RunQueue::ofUser().choose([](queue::QueueChoices& choices) { choices.isPaused = true; });
        fmt::print("Nothing more begins; what is under way goes on.\n");
        return static_cast<int>(kSuccess);
    };
}

CommandBody addResume(CLI::App&) {
    return [] {
        RunQueue line = RunQueue::ofUser();
        line.choose([](queue::QueueChoices& choices) { choices.isPaused = false; });
        fmt::print("{}\n", line.isTrained() ? "The queue goes on." : "`roundpipe queue run` trains what waits.");
        return static_cast<int>(kSuccess);
    };
}

CommandBody addChoose(CLI::App& app) {
    struct Chosen {
        std::string whenDone, afterError;
    };
    const auto chosen = std::make_shared<Chosen>();
    addQueueChoices(app, chosen->whenDone, chosen->afterError);
    return [chosen] {
        RunQueue::ofUser().choose(
            [&](queue::QueueChoices& choices) { apply(chosen->whenDone, chosen->afterError, choices); });
        printChoices(RunQueue::ofUser().contents().choices);
        return static_cast<int>(kSuccess);
    };
}

} // namespace

CommandBody addQueueCommand(CLI::App& app) {
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, CommandBody>> commands;
    const auto add = [&](const char* name, const char* help, CommandBody (*make)(CLI::App&)) {
        CLI::App* sub = app.add_subcommand(name, help);
        commands.emplace_back(sub, make(*sub));
    };
    add("add", "Put a run into the line, or a grid of runs.", addQueueAddCommand);
    add("list", "Show what trains and what waits, the next first.", addQueueListCommand);
    add("move", "Give a run another place.", addMove);
    add("remove", "Take runs out of the line.", addRemove);
    add("pause", "Let nothing more begin.", addPause);
    add("resume", "Let runs begin again.", addResume);
    add("choose", "Say how the line is trained, whoever trains it.", addChoose);
    add("run", "Train what waits, one run after the other on the same devices.", addQueueRunCommand);
    add("results", "Show what came of the runs, or of a grid, the best first.", addQueueResultsCommand);
    return [commands] {
        for (const auto& [sub, command] : commands)
            if (sub->parsed()) return command();
        return static_cast<int>(kInvalidInput);
    };
}

} // namespace roundpipe::cli
