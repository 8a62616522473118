// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe queue results: what came of the runs that have left the line.
#include "base/error.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/table.h"
#include "exit_codes.h"
#include "queue/left_runs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <tuple>

namespace roundpipe::cli {
namespace {

using queue::LeftRun;
using Json = nlohmann::ordered_json;

struct Results {
    std::vector<LeftRun> runs; // the best first: by validation loss, else by loss; those that have none in their order
    std::ptrdiff_t numWaiting = 0;
};

std::optional<double> lossOf(const LeftRun& run) {
    return run.run && run.run->steps > 0 ? std::optional(run.run->lastLoss) : std::nullopt;
}
std::optional<double> validationOf(const LeftRun& run) {
    return run.run ? run.run->bestValidation : std::nullopt;
}

// `sweep`: empty: all of them.
Results resultsOf(const std::string& sweep) {
    const queue::RunQueue line = queue::RunQueue::ofUser();
    const queue::QueueContents all = line.contents();
    runs::RunLibrary library = runs::RunLibrary::ofUser();
    Results results;
    results.runs = queue::leftRunsOf(all.begun, library, line.isTrained());
    const auto isOther = [&](const std::string& name) { return !sweep.empty() && name != sweep; };
    std::erase_if(results.runs, [&](const LeftRun& run) { return isOther(run.entry.sweep); });
    results.numWaiting =
        std::ranges::count_if(all.waiting, [&](const queue::QueuedRun& run) { return !isOther(run.sweep); });
    if (!sweep.empty() && results.runs.empty() && results.numWaiting == 0)
        throw invalidInput(
            "No run of a grid '" + sweep + "' was begun, and none waits.",
            "`roundpipe queue results` shows all that were begun, `queue list` names the grids that wait.");
    std::ranges::stable_sort(results.runs, {}, [](const LeftRun& run) {
        const auto validation = validationOf(run), loss = lossOf(run);
        return std::tuple(!validation, !loss, validation.value_or(loss.value_or(0)));
    });
    return results;
}

std::string stateOf(const LeftRun& run) {
    if (run.run) return spellingOf(run.run->outcome);
    return run.isStarting ? "starting" : run.hasFailed() ? "failed" : "deleted";
}

// As its folder says it, else as the line was told.
std::pair<std::string, std::string> problemOf(const LeftRun& run) {
    if (run.run && !run.run->problem.empty()) return {run.run->problem, run.run->advice};
    return {run.entry.problem, run.entry.advice};
}

void print(const Results& results) {
    if (results.runs.empty()) fmt::print("No run was begun yet.\n");
    Table table({{"number"},
                 {"name", Table::Align::kLeft},
                 {"sweep", Table::Align::kLeft},
                 {"validation"},
                 {"loss"},
                 {"steps"},
                 {"tokens/s"},
                 {"took"},
                 {"state", Table::Align::kLeft},
                 {"folder", Table::Align::kLeft}});
    const auto loss = [](const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : ""; };
    for (const LeftRun& run : results.runs) {
        const bool hasSteps = run.run && run.run->steps > 0;
        table.addRow({std::to_string(run.entry.number), run.name(), run.entry.sweep, loss(validationOf(run)),
                      loss(lossOf(run)), hasSteps ? std::to_string(run.run->steps) : "",
                      hasSteps ? asRate(run.run->tokensPerSecond()) : "", hasSteps ? asTime(run.run->seconds) : "",
                      stateOf(run), run.run ? runs::shownFolderOf(*run.run) : ""});
    }
    if (!results.runs.empty()) fmt::print("{}", table.text());
    for (const LeftRun& run : results.runs)
        if (const auto [problem, advice] = problemOf(run); !problem.empty())
            fmt::print("{}: {}{}{}\n", run.entry.number, problem, advice.empty() ? "" : " ", advice);
    if (results.numWaiting > 0)
        fmt::print("{} {}wait{}.\n", results.numWaiting, results.runs.empty() ? "" : "more ",
                   results.numWaiting == 1 ? "s" : "");
}

Json jsonOf(const LeftRun& run) {
    const auto optional = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    return {{"number", run.entry.number},
            {"name", run.name()},
            {"sweep", run.entry.sweep},
            {"state", stateOf(run)},
            {"devices", run.devices()},
            {"folder", run.run ? Json(run.run->folder.string()) : Json()},
            {"started_at", run.run ? run.run->startedAt : 0},
            {"steps", run.run ? run.run->steps : 0},
            {"total_steps", run.run ? run.run->totalSteps : 0},
            {"seconds_left", run.secondsLeft()},
            {"validation_loss", optional(validationOf(run))},
            {"loss", optional(lossOf(run))},
            {"problem", problemOf(run).first},
            {"advice", problemOf(run).second}};
}

} // namespace

CommandBody addQueueResultsCommand(CLI::App& app) {
    struct Options {
        std::string sweep;
        bool json = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("sweep", options->sweep, "The grid, by the name that it was given (all runs of the queue).");
    app.add_flag("--json", options->json, "For scripts.");
    return [options] {
        const Results results = resultsOf(options->sweep);
        if (!options->json) {
            print(results);
        } else {
            Json list = Json::array();
            for (const LeftRun& run : results.runs)
                list.push_back(jsonOf(run));
            printJson(list);
        }
        return static_cast<int>(kSuccess);
    };
}

} // namespace roundpipe::cli
