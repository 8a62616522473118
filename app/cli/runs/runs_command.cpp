// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe runs: what earlier runs left, looked at and put in order. List and comparison have files of their own.
#include "base/coded_text.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/secrets.h"
#include "base/units.h"
#include "commands.h"
#include "console/table.h"
#include "exit_codes.h"
#include "options/output_option.h"
#include "plan/cost/profile_store.h"
#include "runs/debug_report.h"
#include "runs/own_folders.h"
#include "runs/run_library.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace roundpipe::cli {
namespace {

constexpr const char* kWhich = "The run: its folder's name, as `runs list` shows it, its name, or a path.";

CommandBody addRename(CLI::App& app) {
    struct Options {
        std::string run, name;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhich)->required();
    app.add_option("name", options->name, "What it is called from now on. Its folder keeps its name.")->required();
    return [options] {
        const runs::StoredRun run = runs::RunLibrary::ofUser().find(options->run);
        runs::RunLibrary::rename(run, options->name);
        fmt::print("{} is called '{}' now.\n", runs::shownFolderOf(run), options->name);
        return static_cast<int>(kSuccess);
    };
}

CommandBody addNote(CLI::App& app) {
    struct Options {
        std::string run, text;
        bool remove = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhich)->required();
    CLI::Option* const text = app.add_option("text", options->text, "The note; without it, the note is shown.");
    app.add_flag("--remove", options->remove, "Remove the note.")->excludes(text);
    return [options] {
        const runs::StoredRun run = runs::RunLibrary::ofUser().find(options->run);
        if (options->remove || !options->text.empty()) {
            runs::RunLibrary::setNote(run, options->text);
            fmt::print("The note on {} is {}.\n", runs::shownFolderOf(run), options->remove ? "gone" : "kept");
        } else if (!run.note.empty()) {
            fmt::print("{}\n", run.note);
        }
        return static_cast<int>(kSuccess);
    };
}

CommandBody addDebugReport(CLI::App& app) {
    struct Options {
        std::string run;
        Destination target;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("run", options->run, kWhich)->required();
    addOutputFile(app, "--to", options->target,
                  "The file (.tar.gz); without it, one of the run's name in this folder.");
    return [options, &app] {
        const runs::StoredRun run = runs::RunLibrary::ofUser().find(options->run);
        if (options->target.path.empty()) options->target = freePlace(app, runs::shownFolderOf(run) + "-report.tar.gz");
        runs::writeDebugReport(std::filesystem::weakly_canonical(run.folder), plan::profileFolder() / "rigs",
                               options->target.path.string());
        fmt::print("{}: versions, machine, settings, journal, curves, log and the trace's last minute. It holds no "
                   "rows, answers or weights.\n",
                   options->target.path.string());
        return static_cast<int>(kSuccess);
    };
}

void nameForeign(const runs::RunFiles& files, const std::filesystem::path& within = {}) {
    for (const std::filesystem::path& entry : runs::foreignEntries(files, within))
        fmt::print("  yours    {}\n", withArguments(runs::kGoesToo, {entry.string()}));
}

void describe(const runs::StoredRun& run, bool isInside) {
    fmt::print("{}  {}, {}, {}\n", runs::shownFolderOf(run), run.name, counted(run.steps, "step"),
               isInside ? formatBytes(run.bytes)
                        : fmt::format("only taken off the list: its {} stay in {}", formatBytes(run.bytes),
                                      withoutSecrets(std::filesystem::weakly_canonical(run.folder).string())));
    if (!isInside) return;
    if (run.adapterBytes > 0) fmt::print("  adapter  {}\n", formatBytes(run.adapterBytes));
    if (run.modelBytes > 0) fmt::print("  model    {}\n", formatBytes(run.modelBytes));
    for (const runs::StoredCheckpoint& checkpoint : run.checkpoints)
        fmt::print("  checkpoint {}, step {}  {}\n", checkpoint.name, checkpoint.step, formatBytes(checkpoint.bytes));
    nameForeign(runs::RunFiles{run.folder});
}

int deleteCheckpoint(runs::RunLibrary& library, const runs::StoredRun& run, const std::string& name, bool yes) {
    runs::requireCheckpoint(run, name);
    library.refuseIfElsewhere(run);
    for (const runs::StoredCheckpoint& checkpoint : run.checkpoints) {
        if (checkpoint.name != name) continue;
        fmt::print("{}  checkpoint {}, step {}  {}\n", runs::shownFolderOf(run), name, checkpoint.step,
                   formatBytes(checkpoint.bytes));
        const runs::RunFiles files{run.folder};
        nameForeign(files, files.checkpoints() / name);
        if (run.isToResumeFrom(checkpoint)) fmt::print("Without it the run cannot be resumed, only begun anew.\n");
    }
    if (yes)
        library.removeCheckpoint(run, name);
    else
        fmt::print("Nothing is deleted without --yes.\n");
    return kSuccess;
}

CommandBody addDelete(CLI::App& app) {
    struct Options {
        std::vector<std::string> runs;
        std::string checkpoint;
        bool yes = false;
    };
    const auto options = std::make_shared<Options>();
    app.add_option("runs", options->runs, kWhich)->required();
    app.add_option("--checkpoint", options->checkpoint,
                   "Delete only the run's checkpoint of that name: last, best, step-200. The run stays.");
    app.add_flag("--yes", options->yes, "Delete; without it, only what would go is shown.");
    return [options] {
        runs::RunLibrary library = runs::RunLibrary::ofUser();
        std::vector<runs::StoredRun> found;
        for (const std::string& name : options->runs) // all are found before one goes
            found.push_back(library.find(name));
        if (!options->checkpoint.empty() && found.size() > 1)
            throw invalidInput("A checkpoint is deleted of one run, but " + std::to_string(found.size()) +
                                   " were named.",
                               "Name one run.");
        if (!options->checkpoint.empty())
            return deleteCheckpoint(library, found.front(), options->checkpoint, options->yes);
        for (const runs::StoredRun& run : found) {
            const bool isInside = library.isInside(run);
            if (!options->yes)
                describe(run, isInside);
            else
                library.remove(run);
            if (options->yes && !isInside)
                fmt::print("'{}' is off the list. Its files stay where they are, outside of '{}'.\n",
                           runs::shownFolderOf(run), library.folder().string());
        }
        if (!options->yes) fmt::print("Nothing is deleted without --yes.\n");
        return static_cast<int>(kSuccess);
    };
}

} // namespace

CommandBody addRunsCommand(CLI::App& app) {
    app.require_subcommand(1);
    std::vector<std::pair<CLI::App*, CommandBody>> commands;
    const auto add = [&](const char* name, const char* help, CommandBody (*make)(CLI::App&)) {
        CLI::App* sub = app.add_subcommand(name, help);
        commands.emplace_back(sub, make(*sub));
    };
    add("list", "Show all runs, the latest first.", addRunsListCommand);
    add("compare", "Show the settings in which runs differ, and what came out.", addRunsCompareCommand);
    add("journal", "Show what happened to a run: beginnings, checkpoints, skipped steps, its end.",
        addRunsJournalCommand);
    add("report", "Put into one file what whoever looks for a fault needs of a run.", addDebugReport);
    add("rename", "Give a run another name.", addRename);
    add("note", "Show or write a note on a run.", addNote);
    add("delete", "Delete runs with all their files.", addDelete);
    return [commands] {
        for (const auto& [sub, command] : commands)
            if (sub->parsed()) return command();
        return static_cast<int>(kInvalidInput);
    };
}

} // namespace roundpipe::cli
