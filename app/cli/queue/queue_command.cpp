// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe queue: runs that wait in line, and grids over their settings.
#include "base/error.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/table.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "options/run_spec_options.h"
#include "queue/queue_choices.h"
#include "queue/run_queue.h"
#include "queue/sweep.h"
#include "runs/run_library.h"
#include "session/spec/prompts_file.h"
#include "session/spec/value_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace roundpipe::cli {
namespace {

using queue::QueuedRun;
using queue::RunQueue;
using Align = Table::Align;

struct AddOptions {
    std::string file;
    RunSpecOptions fields;
    std::vector<std::string> prompts, grid;
    std::string sweep;
};

QueuedRun runOf(const AddOptions& options) {
    QueuedRun run;
    if (!options.file.empty()) run.spec = session::readRunSpec(options.file);
    options.fields.apply(run.spec);
    fetchNamesOf(run.spec);
    run.prompts =
        options.prompts.empty() && !options.file.empty() ? session::readPrompts(options.file) : options.prompts;
    return run;
}

int add(const AddOptions& options) {
    QueuedRun run = runOf(options);
    std::vector<queue::SweptField> fields;
    for (const std::string& grid : options.grid)
        fields.push_back(queue::sweptFieldOf(grid));
    if (!fields.empty()) run.sweep = options.sweep.empty() ? run.spec.name : options.sweep;
    if (!fields.empty() && run.sweep.empty())
        throw invalidInput("The grid has no name.", "Give it one by --sweep, or the run by --name.");
    std::vector<QueuedRun> runs = {run};
    if (fields.empty())
        session::validate(run.spec);
    else
        runs = queue::sweepOf(run, fields);
    const int64_t first = RunQueue::ofUser().add(runs);
    for (std::size_t i = 0; i < runs.size(); ++i)
        fmt::print("{}  {}\n", first + static_cast<int64_t>(i), runs[i].spec.name);
    fmt::print("{} wait{}; `roundpipe queue run` trains what waits.\n", runs.size() == 1 ? "It" : "They",
               runs.size() == 1 ? "s" : "");
    return kSuccess;
}

CommandBody addAdd(CLI::App& app) {
    const auto options = std::make_shared<AddOptions>();
    app.add_option("run", options->file, "Run file (JSON); options win over what it says.");
    app.add_option("--grid", options->grid,
                   "KEY=VALUE,VALUE: a run for each value, and for each combination where it is repeated; "
                   "lora.rank=8,16. A list among the values has + between its parts.");
    app.add_option("--sweep", options->sweep, "What the grid is called, for `queue results` (the run's name).");
    app.add_option("--sample", options->prompts,
                   "Prompt that is answered before and after, instead of the project's; may be repeated.");
    options->fields.addTo(app);
    return [options] { return add(*options); };
}

std::string devicesOf(const session::RunSpec& spec) {
    return session::textOf(spec.engine.devices);
}

// How it is trained, where that is not as usual.
void printChoices(const queue::QueueContents& line) {
    if (line.choices.isPaused) fmt::print("The queue is paused: nothing begins until `roundpipe queue resume`.\n");
    if (line.choices.afterError == queue::AfterError::kPause) fmt::print("When a run fails, the queue pauses.\n");
    if (line.choices.whenDone == queue::WhenDone::kSleep) fmt::print("When it is empty, the machine sleeps.\n");
}

CommandBody addList(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    app.add_flag("--json", *json, "For scripts.");
    return [json] {
        const queue::QueueContents line = RunQueue::ofUser().contents();
        const std::vector<QueuedRun>& waiting = line.waiting;
        if (*json) {
            nlohmann::ordered_json all = nlohmann::ordered_json::array();
            for (const QueuedRun& run : waiting)
                all.push_back({{"number", run.number},
                               {"name", run.spec.name},
                               {"sweep", run.sweep},
                               {"devices", run.spec.engine.devices},
                               {"expected_seconds", run.expectedSeconds},
                               {"run", nlohmann::ordered_json::parse(session::toJson(run.spec))}});
            printJson(all);
            return static_cast<int>(kSuccess);
        }
        if (waiting.empty()) fmt::print("Nothing waits.\n");
        Table table({{"number"},
                     {"name", Align::kLeft},
                     {"sweep", Align::kLeft},
                     {"model", Align::kLeft},
                     {"devices", Align::kLeft},
                     {"expected"}});
        for (const QueuedRun& run : waiting)
            table.addRow({std::to_string(run.number), run.spec.name, run.sweep, run.spec.model.path,
                          devicesOf(run.spec), run.expectedSeconds > 0 ? asTime(run.expectedSeconds) : ""});
        if (!waiting.empty()) fmt::print("{}", table.text());
        printChoices(line);
        return static_cast<int>(kSuccess);
    };
}

CommandBody addMove(CLI::App& app) {
    struct Options {
        int64_t number = 0;
        std::size_t place = 1;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("number", options->number, "The run, as `queue list` numbers it.")->required();
    app.add_option("--to", options->place, "Its place from now on; 1 is next (1).")->check(CLI::Range(1, 1'000'000));
    return [options] {
        RunQueue::ofUser().move(options->number, options->place - 1);
        return static_cast<int>(kSuccess);
    };
}

CommandBody addRemove(CLI::App& app) {
    const auto numbers = std::make_shared<std::vector<int64_t>>();
    app.add_option("numbers", *numbers, "Runs, as `queue list` numbers them.")->required();
    return [numbers] {
        RunQueue::ofUser().remove(*numbers);
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
        printChoices(RunQueue::ofUser().contents());
        return static_cast<int>(kSuccess);
    };
}

// Those of the grid that are over or under way, the best first: by validation loss, else by loss.
std::vector<runs::StoredRun> resultsOf(const std::string& sweep) {
    std::vector<runs::StoredRun> results;
    std::error_code absent;
    const std::vector<queue::BegunRun> begun = RunQueue::ofUser().begun();
    for (const queue::BegunRun& run : begun)
        if (run.sweep == sweep && hasOwnFolder(run, begun) && std::filesystem::exists(run.folder, absent))
            results.push_back(runs::readRun(run.folder));
    std::ranges::stable_sort(results, {}, [](const runs::StoredRun& run) {
        return std::pair(!run.bestValidation, run.bestValidation.value_or(run.lastLoss));
    });
    return results;
}

CommandBody addResults(CLI::App& app) {
    const auto sweep = std::make_shared<std::string>();
    app.add_option("sweep", *sweep, "The grid, by the name that it was given.")->required();
    return [sweep] {
        const std::vector<runs::StoredRun> results = resultsOf(*sweep);
        const auto numWaiting = std::ranges::count(RunQueue::ofUser().waiting(), *sweep, &QueuedRun::sweep);
        if (results.empty() && numWaiting == 0)
            throw invalidInput("No run of a grid '" + *sweep + "' was begun, and none waits.",
                               "`roundpipe queue list` names the grids that wait.");
        Table table({{"name", Align::kLeft},
                     {"validation"},
                     {"loss"},
                     {"steps"},
                     {"tokens/s"},
                     {"took"},
                     {"state", Align::kLeft},
                     {"folder", Align::kLeft}});
        const auto loss = [](const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : ""; };
        for (const runs::StoredRun& run : results)
            table.addRow({run.name, loss(run.bestValidation),
                          loss(run.steps > 0 ? std::optional(run.lastLoss) : std::nullopt), std::to_string(run.steps),
                          asRate(run.tokensPerSecond()), asTime(run.seconds), spellingOf(run.outcome),
                          run.folder.filename().string()});
        fmt::print("{}", table.text());
        if (numWaiting > 0) fmt::print("{} more wait.\n", numWaiting);
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
    add("add", "Put a run into the line, or a grid of runs.", addAdd);
    add("list", "Show what waits, the next first.", addList);
    add("move", "Give a run another place.", addMove);
    add("remove", "Take runs out of the line.", addRemove);
    add("pause", "Let nothing more begin.", addPause);
    add("resume", "Let runs begin again.", addResume);
    add("choose", "Say how the line is trained, whoever trains it.", addChoose);
    add("run", "Train what waits, one run after the other on the same devices.", addQueueRunCommand);
    add("results", "Show what came of a grid, the best first.", addResults);
    return [commands] {
        for (const auto& [sub, command] : commands)
            if (sub->parsed()) return command();
        return static_cast<int>(kInvalidInput);
    };
}

} // namespace roundpipe::cli
