// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe train: a run from a file, from options, or from a file changed by options.
#include "base/error.h"
#include "commands.h"
#include "console/progress.h"
#include "console/run_view.h"
#include "console/standard_output.h"
#include "console/stop_signal.h"
#include "engine/engine.h"
#include "engine/workload.h"
#include "hosted/run_host.h"
#include "hub/fetch_names.h"
#include "options/run_spec_options.h"
#include "runs/resumption.h"
#include "runs/run_files.h"
#include "runs/run_library.h"
#include "runs/run_lock.h"
#include "runs/sample_prompts.h"
#include "runs/stored_run.h"
#include "session/run/moved_folder.h"
#include "session/spec/no_secret.h"
#include "session/spec/prompts_file.h"
#include "session/spec/value_text.h"
#include "train/dry_run.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

namespace roundpipe::cli {
namespace {

struct TrainOptions {
    std::string file;
    RunSpecOptions fields;
    bool dryRun = false;
    bool resume = false;
    bool acceptChanges = false;
    std::string goOnWith;  // --continue
    std::string startFrom; // --start-from
    bool quiet = false;
    std::vector<std::string> prompts;
};

// The folder that the options name; empty: none.
std::string folderOf(const RunSpecOptions& fields) {
    session::RunSpec spec;
    fields.apply(spec);
    return spec.output.folder;
}

// A run goes on in the folder that its run.json lies in, wherever that was moved or copied, and with the settings that
// stand there.
session::RunSpec fileSpecOf(const TrainOptions& options) {
    if (options.file.empty()) {
        const std::string folder = options.resume ? folderOf(options.fields) : std::string();
        return folder.empty() ? session::RunSpec() : runs::settingsOf(folder).value_or(session::RunSpec());
    }
    const std::filesystem::path file = std::filesystem::absolute(options.file);
    const runs::RunFiles files{file.parent_path()};
    const bool isOfRun = file == files.spec() &&
                         (std::filesystem::exists(files.status()) || std::filesystem::exists(files.lastCheckpoint()));
    if (options.resume && isOfRun)
        if (auto settings = runs::settingsOf(files.folder)) return *std::move(settings);
    return session::readRunSpec(file);
}

// What a run or an adapter holds becomes what a new run starts with: the adapter, or the model whose weights were
// trained. The model that an adapter was trained on is the run's, unless another one is named.
void startFrom(const std::string& what, session::RunSpec& spec) {
    std::filesystem::path folder = std::filesystem::absolute(what);
    if (std::filesystem::exists(folder / "config.json")) { // a checkpoint of weights, which is a model
        spec.model.path = folder.string();
        return;
    }
    if (!std::filesystem::exists(folder / "adapter_config.json")) {
        const runs::StoredRun run = runs::RunLibrary::ofUser().find(what);
        const runs::RunFiles files{std::filesystem::weakly_canonical(run.folder)}; // not a link of the library's
        if (spec.model.path.empty())
            spec.model.path = runs::settingsOf(files.folder).value_or(session::RunSpec()).model.path;
        if (run.modelBytes > 0) {
            spec.model.path = files.model().string();
            return;
        }
        folder = files.adapter();
        if (run.adapterBytes == 0)
            throw invalidInput("'" + what + "' has made neither an adapter nor a model.",
                               "A checkpoint of it is one, too: --start-from '" + files.bestCheckpoint().string() +
                                   "'.");
    }
    spec.lora.initFrom = folder.string();
}

// Before anything else is found to be lacking, which would stand in its run.json.
void requireRunToResume(const session::RunSpec& spec) {
    const runs::RunFiles files{spec.output.folder};
    if (files.folder.empty())
        throw invalidInput("--resume does not say which run goes on: 'output.folder' is empty.",
                           "Name the run's folder by --out; `roundpipe runs list` shows all runs.");
    if (!spec.model.path.empty()) return; // it may have been killed before it made its folder: then it begins there
    runs::requireRun(files.folder);
    if (!runs::settingsOf(files.folder))
        throw invalidInput("'" + files.spec().string() +
                               "' is missing, which says what the run trains, and no checkpoint there says it.",
                           "Name a run file beside --resume and --out.");
}

// What an adapter that a run begins with says itself counts, and nothing else is taken in silence.
void requireAsInAdapter(const RunSpecOptions& given, const session::RunSpec& spec, bool goesOn) {
    if (spec.lora.initFrom.empty()) return;
    const session::RunSpec begun = engine::resolved(spec, goesOn);
    const auto shown = [](const session::FieldValue& value) {
        const std::string text = session::textOf(value);
        return text.empty() ? "none" : text;
    };
    for (const session::Field* field : session::differingFields(spec, begun))
        if (given.wasGiven(field->key))
            throw invalidInput(
                fmt::format("{} is {}, and {} in the adapter '{}', which the run begins with.", field->option,
                            shown(field->get(spec)), shown(field->get(begun)), spec.lora.initFrom),
                "Leave it out: an adapter stays as it is. To train another one on top of what it has learned, merge "
                "it into the model (roundpipe export --to merged), and begin with that.");
}

session::RunSpec specOf(const TrainOptions& options) {
    session::RunSpec spec = fileSpecOf(options);
    options.fields.apply(spec);
    if (options.resume) requireRunToResume(spec);
    if (!options.startFrom.empty()) startFrom(options.startFrom, spec);
    fetchNamesOf(spec);
    requireAsInAdapter(options.fields, spec, options.resume);
    session::validate(spec, true, options.resume ? session::Secrets::kStored : session::Secrets::kRefused);
    return spec;
}

// --continue names a run, by its name or its folder, and is a --resume with its run.json.
void settle(TrainOptions& options) {
    if (options.goOnWith.empty()) return;
    const runs::StoredRun run = runs::RunLibrary::ofUser().find(options.goOnWith);
    options.file = runs::RunFiles{run.folder}.spec().string();
    options.resume = true;
}

// Those that were given, else the project's, else those that the run which goes on had. Broken ones are no reason not
// to train.
std::vector<std::string> promptsOf(const TrainOptions& options, const std::string& folder, Progress& progress) {
    if (!options.prompts.empty()) return options.prompts;
    try {
        std::vector<std::string> prompts;
        if (!options.file.empty()) prompts = session::readPrompts(options.file);
        return prompts.empty() && options.resume ? runs::samplePromptsOf({folder}) : prompts;
    } catch (const Error& error) {
        progress.warning(error.message() + "\n" + error.advice());
        return {};
    }
}

// A list that can't be kept is no reason to stop a run.
void listRun(const session::RunSpec& spec, Progress& progress) {
    try {
        runs::linkRun(spec.output.folder, runs::runsFolder());
    } catch (const std::exception& error) {
        progress.warning(std::string("`runs list` will not show this run: ") + error.what());
    }
}

// Where none is named, one among the user's runs, as in the Studio.
std::string newFolderFor(const session::RunSpec& spec) {
    const std::string model = std::filesystem::path(spec.model.path).filename().string();
    return runs::newRunFolder(spec.name.empty() ? model : spec.name).string();
}

int train(TrainOptions options) {
    std::optional<StopSignal> stop; // before anything is read, which may take a while
    if (options.dryRun)
        letStopSignalsThrough();
    else
        stop.emplace();
    settle(options);
    for (const std::string& prompt : options.prompts)
        session::requireNoSecret("--sample", prompt);
    session::RunSpec spec = specOf(options);
    if (options.dryRun) return dryRun(spec, options.resume, options.acceptChanges);
    const GoesOnUnread goesOn;
    Progress progress(options.quiet ? Progress::Style::kQuiet : Progress::styleOfStandardOutput());
    if (spec.output.folder.empty()) {
        spec.output.folder = newFolderFor(spec);
        progress.message("results go to " + spec.output.folder);
    }
    const std::unique_ptr<session::Engine> engine = engine::makeEngine();
    hosted::RunHost host(*engine); // so that others can follow the run and stop it
    host.start({spec, promptsOf(options, spec.output.folder, progress), options.resume, options.acceptChanges,
                !options.goOnWith.empty()});
    RunView view(progress);
    bool stopping = false;
    bool listed = false;
    while (!host.isDone()) {
        const std::vector<session::RunEvent> events = host.turn();
        view.show(events, host.snapshot());
        for (const session::RunEvent& event : events)
            if (auto folder = session::movedFolder(event)) {
                spec.output.folder = std::move(*folder);
                listed = false;
            }
        if (!listed && runs::RunLock::isHeld(spec.output.folder)) { // others wait for its devices from now on
            listRun(spec, progress);
            listed = true;
        }
        if (stop->requested() && !std::exchange(stopping, true)) {
            progress.message("stopping after this step; press Ctrl-C again to give up at once");
            engine->requestStop();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    return view.end(host.snapshot().state);
}

} // namespace

CommandBody addTrainCommand(CLI::App& app) {
    const auto options = std::make_shared<TrainOptions>();
    CLI::Option* const run = app.add_option("run", options->file, "Run file (JSON); options win over what it says.");
    app.add_flag("--dry-run", options->dryRun, "Show plan, token counts and one row with its mask; train nothing.");
    CLI::Option* const resume = app.add_flag("--resume", options->resume,
                                             "Go on from the newest whole checkpoint in the run's folder (--out).");
    CLI::Option* const goOn =
        app.add_option("--continue", options->goOnWith,
                       "Run, by its name or folder, that goes on as by --resume: with --epochs or --max-steps for "
                       "longer than it was to.")
            ->excludes(run, resume);
    app.add_flag("--accept-changes", options->acceptChanges,
                 "Go on though rows, model or settings have changed since the checkpoint.");
    app.add_option("--start-from", options->startFrom,
                   "Run, by its name or folder, or folder of an adapter, whose weights a new run starts with.")
        ->excludes(resume, goOn);
    app.add_flag("--quiet", options->quiet, "Print errors only.");
    app.add_option("--sample", options->prompts,
                   "Prompt that is answered before and after, instead of the project's; may be repeated.")
        ->allow_extra_args(false);
    options->fields.addTo(app);
    return [options] { return train(*options); };
}

} // namespace roundpipe::cli
