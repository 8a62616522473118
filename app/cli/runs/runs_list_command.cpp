// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe runs list: all runs of the user, the Studio's and the command line's.
#include "base/secrets.h"
#include "base/units.h"
#include "commands.h"
#include "console/print_json.h"
#include "console/table.h"
#include "exit_codes.h"
#include "runs/run_library.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <memory>

namespace roundpipe::cli {
namespace {

using runs::StoredRun;

std::string asLoss(const std::optional<double>& loss) {
    return loss ? fmt::format("{:.4f}", *loss) : "";
}

std::string stateOf(const StoredRun& run) {
    const int64_t silent = runs::silentSeconds(run, std::time(nullptr));
    const std::string state = spellingOf(run.outcome);
    return silent > 0 ? state + ", no step for " + formatDuration(static_cast<double>(silent)) : state;
}

void print(const std::vector<StoredRun>& all, const std::filesystem::path& folder) {
    const std::string place = withoutSecrets(folder.string());
    if (all.empty()) return fmt::print("There are no runs in '{}' yet.\n", place);
    using Align = Table::Align;
    Table table({{"folder", Align::kLeft},
                 {"name", Align::kLeft},
                 {"started", Align::kLeft},
                 {"steps"},
                 {"loss"},
                 {"validation"},
                 {"tokens/s"},
                 {"took"},
                 {"size"},
                 {"state", Align::kLeft},
                 {"note", Align::kLeft}});
    int64_t bytes = 0;
    for (const StoredRun& run : all) {
        bytes += run.bytes;
        const std::string folderName = runs::shownFolderOf(run);
        table.addRow({folderName, run.name == folderName ? "" : run.name, asDate(run.startedAt),
                      std::to_string(run.steps), run.steps > 0 ? asLoss(run.lastLoss) : "", asLoss(run.bestValidation),
                      asRate(run.tokensPerSecond()), asTime(run.seconds), asBytes(run.bytes), stateOf(run),
                      run.note.substr(0, run.note.find('\n'))});
    }
    fmt::print("{}\n{} run{} in '{}', {}.\n", table.text(), all.size(), all.size() == 1 ? "" : "s", place,
               formatBytes(bytes));
    for (const StoredRun& run : all)
        if (!run.problem.empty()) fmt::print("{}: {}\n", runs::shownFolderOf(run), run.problem);
}

nlohmann::ordered_json jsonOf(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nullptr;
}

nlohmann::ordered_json jsonOf(const StoredRun& run) {
    nlohmann::ordered_json checkpoints = nlohmann::ordered_json::array();
    for (const runs::StoredCheckpoint& checkpoint : run.checkpoints)
        checkpoints.push_back({{"name", checkpoint.name},
                               {"step", checkpoint.step},
                               {"validation_loss", jsonOf(checkpoint.validationLoss)},
                               {"bytes", checkpoint.bytes}});
    return {{"folder", withoutSecrets(run.folder.string())},
            {"name", run.name},
            {"state", spellingOf(run.outcome)},
            {"problem", run.problem},
            {"started_at", run.startedAt},
            {"ended_at", run.endedAt},
            {"last_beat", run.lastBeat},
            {"silent_seconds", runs::silentSeconds(run, std::time(nullptr))},
            {"model", run.model},
            {"devices", run.devices},
            {"steps", run.steps},
            {"total_steps", run.totalSteps},
            {"seconds", run.seconds},
            {"tokens", run.tokens},
            {"loss", run.lastLoss},
            {"first_validation_loss", jsonOf(run.firstValidation)},
            {"last_validation_loss", jsonOf(run.lastValidation)},
            {"best_validation_loss", jsonOf(run.bestValidation)},
            {"bytes", run.bytes},
            {"adapter_bytes", run.adapterBytes},
            {"model_bytes", run.modelBytes},
            {"checkpoints", checkpoints},
            {"note", run.note}};
}

} // namespace

CommandBody addRunsListCommand(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    app.add_flag("--json", *json, "Print one JSON list.");
    return [json] {
        runs::RunLibrary library = runs::RunLibrary::ofUser();
        const std::vector<StoredRun> all = library.list();
        if (!*json) {
            print(all, library.folder());
        } else {
            nlohmann::ordered_json list = nlohmann::ordered_json::array();
            for (const StoredRun& run : all)
                list.push_back(jsonOf(run));
            printJson(list);
        }
        return static_cast<int>(kSuccess);
    };
}

} // namespace roundpipe::cli
