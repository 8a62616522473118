// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe train: a run from a file, from options, or from a file changed by options.
#include "base/error.h"
#include "commands.h"
#include "console/progress.h"
#include "console/stop_signal.h"
#include "engine/engine.h"
#include "exit_codes.h"
#include "hub/fetch_names.h"
#include "options/run_spec_options.h"
#include "runs/run_files.h"
#include "runs/run_library.h"
#include "runs/stored_run.h"
#include "runs/training_state.h"
#include "session/spec/prompts_file.h"
#include "train/dry_run.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

namespace roundpipe::cli {
namespace {

using session::RunEvent;
using session::RunState;

struct TrainOptions {
    std::string file;
    RunSpecOptions fields;
    bool dryRun = false;
    bool resume = false;
    bool quiet = false;
    std::vector<std::string> prompts;
};

// A run goes on in the folder that its run.json lies in, wherever that was moved or copied.
session::RunSpec fileSpecOf(const TrainOptions& options) {
    if (options.file.empty()) return {};
    const std::filesystem::path file = std::filesystem::absolute(options.file);
    const runs::RunFiles files{file.parent_path()};
    const bool isOfRun = file == files.spec() && runs::hasTrainingState(runs::checkpointToResumeFrom(files));
    return options.resume && isOfRun ? runs::specOf(files.folder) : session::readRunSpec(file);
}

session::RunSpec specOf(const TrainOptions& options) {
    session::RunSpec spec = fileSpecOf(options);
    options.fields.apply(spec);
    fetchNamesOf(spec);
    session::validate(spec);
    return spec;
}

// Those that were given, else the project's. Broken ones are no reason not to train.
std::vector<std::string> promptsOf(const TrainOptions& options, Progress& progress) {
    if (!options.prompts.empty() || options.file.empty()) return options.prompts;
    try {
        return session::readPrompts(options.file);
    } catch (const Error& error) {
        progress.warning(error.message() + "\n" + error.advice());
        return {};
    }
}

// Shows what has happened since the last call; returns the exit code of an error event, else nothing.
std::optional<int> showEvents(session::Engine& engine, Progress& progress) {
    std::optional<int> failure;
    const session::Snapshot snapshot = engine.snapshot();
    if (snapshot.state == RunState::kPreparing || snapshot.state == RunState::kEvaluating ||
        snapshot.state == RunState::kAnswering)
        progress.activity(session::textOf(snapshot.activities));
    for (const RunEvent& event : engine.takeEvents()) {
        switch (event.kind) {
        case RunEvent::Kind::kPlanReady:
            progress.plan(*event.plan);
            break;
        case RunEvent::Kind::kStepDone:
            progress.step(event.metrics, snapshot);
            break;
        case RunEvent::Kind::kCheckpointSaved:
            progress.message("saved " + event.text);
            break;
        case RunEvent::Kind::kSampleReady:
            progress.message((event.tuned ? "tuned  | " : "base   | ") + event.prompt + "\n       > " + event.text);
            break;
        case RunEvent::Kind::kWarning:
            progress.warning(event.text);
            break;
        case RunEvent::Kind::kError:
            std::fprintf(stderr, "error: %s\n%s%s", event.text.c_str(), event.advice.c_str(),
                         event.advice.empty() ? "" : "\n");
            failure = exitCodeOf(event.errorKind);
            break;
        case RunEvent::Kind::kStateChanged:
        case RunEvent::Kind::kValidated: // nothing here asks for it
            break;
        }
    }
    return failure;
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

int train(const TrainOptions& options) {
    session::RunSpec spec = specOf(options);
    if (options.dryRun) return dryRun(spec);
    const StopSignal stop;
    Progress progress(options.quiet ? Progress::Style::kQuiet : Progress::styleOfStandardOutput());
    if (spec.output.folder.empty() && options.resume)
        throw invalidInput("--resume does not say which run goes on: 'output.folder' is empty.",
                           "Name the run's folder by --out; `roundpipe runs list` shows all runs.");
    if (spec.output.folder.empty()) {
        spec.output.folder = newFolderFor(spec);
        progress.message("results go to " + spec.output.folder);
    }
    const std::unique_ptr<session::Engine> engine = engine::makeEngine();
    engine->start(spec, promptsOf(options, progress), options.resume);
    std::optional<int> failure;
    bool stopping = false;
    bool listed = false;
    for (bool over = false; !over;) {
        over = session::isOver(engine->snapshot().state); // before the events, so that none of the last ones is missed
        if (const auto code = showEvents(*engine, progress)) failure = code;
        if (!listed && engine->snapshot().step > 0) { // there is something to see
            listRun(spec, progress);
            listed = true;
        }
        if (stop.requested() && !std::exchange(stopping, true)) {
            progress.message("stopping after this step; press Ctrl-C again to give up at once");
            engine->requestStop();
        }
        if (!over) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    engine->wait();
    if (failure) return *failure;
    const RunState end = engine->snapshot().state;
    progress.message(end == RunState::kFinished ? "finished" : "stopped");
    return end == RunState::kFinished ? kSuccess : kStopped;
}

} // namespace

CommandBody addTrainCommand(CLI::App& app) {
    const auto options = std::make_shared<TrainOptions>();
    app.add_option("run", options->file, "Run file (JSON); options win over what it says.");
    app.add_flag("--dry-run", options->dryRun, "Show plan, token counts and one row with its mask; train nothing.");
    app.add_flag("--resume", options->resume, "Go on from the run folder's last checkpoint.");
    app.add_flag("--quiet", options->quiet, "Print errors only.");
    app.add_option("--sample", options->prompts,
                   "Prompt that is answered before and after, instead of the project's; may be repeated.")
        ->allow_extra_args(false);
    options->fields.addTo(app);
    return [options] { return train(*options); };
}

} // namespace roundpipe::cli
