// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe queue add: a run, or a grid of runs, and what the plan expects of them.
#include "base/error.h"
#include "commands.h"
#include "console/table.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "options/run_spec_options.h"
#include "queue/expected_times.h"
#include "queue/run_queue.h"
#include "queue/sweep.h"
#include "runs/usable_folder.h"
#include "session/spec/prompts_file.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <vector>

namespace roundpipe::cli {
namespace {

using queue::QueuedRun;
using queue::RunQueue;

struct AddOptions {
    std::string file;
    RunSpecOptions fields;
    std::vector<std::string> prompts, grid;
    std::string sweep;
    bool readsRows = false;
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

std::vector<QueuedRun> runsOf(const AddOptions& options) {
    QueuedRun run = runOf(options);
    std::vector<queue::SweptField> fields;
    for (const std::string& grid : options.grid)
        fields.push_back(queue::sweptFieldOf(grid));
    if (!fields.empty()) run.sweep = options.sweep.empty() ? run.spec.name : options.sweep;
    if (!fields.empty() && run.sweep.empty())
        throw invalidInput("The grid has no name.", "Give it one by --sweep, or the run by --name.");
    if (!fields.empty()) return queue::sweepOf(run, fields);
    session::validate(run.spec);
    run.spec.name = queue::nameOf(run);
    return {run};
}

void print(const std::vector<QueuedRun>& runs, const std::vector<ExpectedTime>& times, int64_t first) {
    Table table({{"number"}, {"name", Table::Align::kLeft}, {"steps"}, {"a step"}, {"expected"}});
    std::map<std::string, std::vector<std::string>> unknown; // by why
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ExpectedTime& time = times[i];
        const std::string number = std::to_string(first + static_cast<int64_t>(i));
        table.addRow({number, runs[i].spec.name, time.steps > 0 ? std::to_string(time.steps) : "",
                      time.stepSeconds > 0 ? asTime(time.stepSeconds) : "",
                      time.seconds > 0 ? asTime(time.seconds) : "not known"});
        if (time.seconds == 0) unknown[time.why].push_back(number);
    }
    fmt::print("{}", table.text());
    for (const auto& [why, numbers] : unknown) {
        const bool isOne = numbers.size() == 1;
        fmt::print("How long {} {} {} is not known: {}.\n", isOne ? "run" : "runs",
                   isOne ? numbers.front() : numbers.front() + " to " + numbers.back(), isOne ? "takes" : "take",
                   why.ends_with('.') ? why.substr(0, why.size() - 1) : why);
    }
}

// In its turn it would be refused, when nobody looks. Before anything is read for how long they take.
void requireUsableFolders(const std::vector<QueuedRun>& runs) {
    for (const QueuedRun& run : runs)
        if (!run.spec.output.folder.empty()) runs::requireUsable(run.spec.output.folder, false);
}

int add(const AddOptions& options) {
    std::vector<QueuedRun> runs = runsOf(options);
    requireUsableFolders(runs);
    const std::vector<ExpectedTime> times = expectedTimesOf(runs, options.readsRows);
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].expectedSeconds = times[i].seconds;
    RunQueue line = RunQueue::ofUser();
    print(runs, times, line.add(runs));
    const queue::QueueContents all = line.contents();
    runs::RunLibrary library = runs::RunLibrary::ofUser();
    fmt::print("{}\n",
               whenDone(all.waiting, queue::leftRunsOf(all.begun, library, line.isTrained()), all.choices.isPaused));
    if (!line.isTrained())
        fmt::print("{} wait{}; `roundpipe queue run` trains what waits.\n", runs.size() == 1 ? "It" : "They",
                   runs.size() == 1 ? "s" : "");
    return kSuccess;
}

} // namespace

CommandBody addQueueAddCommand(CLI::App& app) {
    const auto options = std::make_shared<AddOptions>();
    app.add_option("run", options->file, "Run file (JSON); options win over what it says.");
    app.add_option("--grid", options->grid,
                   "KEY=VALUE,VALUE: a run for each value, and for each combination where it is repeated; "
                   "lora.rank=8,16. A list among the values has + between its parts.");
    app.add_option("--sweep", options->sweep, "What the grid is called, for `queue results` (the run's name).");
    app.add_option("--sample", options->prompts,
                   "Prompt that is answered before and after, instead of the project's; may be repeated.");
    app.add_flag("--read-data", options->readsRows, "Read the rows now, so that it is known how long the runs take.");
    options->fields.addTo(app);
    return [options] { return add(*options); };
}

} // namespace roundpipe::cli
