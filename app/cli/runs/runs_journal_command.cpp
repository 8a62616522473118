// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe runs journal: what happened to a run, from its beginning on.
#include "commands.h"
#include "exit_codes.h"
#include "runs/journal.h"
#include "runs/run_files.h"
#include "runs/run_library.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <memory>
#include <string>

namespace roundpipe::cli {
namespace {

struct JournalOptions {
    std::string run;
    bool json = false;
};

void print(const runs::JournalEntry& entry) {
    const auto when = fmt::localtime(static_cast<std::time_t>(entry.time));
    fmt::print("{:%Y-%m-%d %H:%M:%S}  step {:<6} {:<11}  {}{}{}\n", when, entry.step, spellingOf(entry.event),
               entry.what, entry.what.empty() || entry.text.empty() ? "" : "  ", entry.text);
}

void printLine(const runs::JournalEntry& entry) {
    using Json = nlohmann::ordered_json;
    const Json json = {{"time", entry.time}, {"elapsed", entry.elapsed}, {"event", spellingOf(entry.event)},
                       {"step", entry.step}, {"what", entry.what},       {"text", entry.text}};
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace

CommandBody addRunsJournalCommand(CLI::App& app) {
    const auto options = std::make_shared<JournalOptions>();
    app.add_option("run", options->run, "The run: its folder's name, as `runs list` shows it, its name, or a path.")
        ->required();
    app.add_flag("--json", options->json, "A line of JSON for each entry.");
    return [options] {
        const runs::StoredRun run = runs::RunLibrary::ofUser().find(options->run);
        for (const runs::JournalEntry& entry : runs::readJournal(runs::RunFiles{run.folder}.journal()))
            options->json ? printLine(entry) : print(entry);
        return static_cast<int>(kSuccess);
    };
}

} // namespace roundpipe::cli
