// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/resumption.h"

#include "arch/model_config.h"
#include "arch/model_outline.h"
#include "base/error.h"
#include "base/log.h"
#include "runs/metrics_file.h"
#include "runs/model_files.h"
#include "runs/run_files.h"
#include "runs/run_status.h"
#include "runs/sample_prompts.h"
#include "runs/training_state.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

// With other layers what was trained does not belong to it. Same layers with other weights are not told apart.
void requireSameModel(const session::RunSpec& spec, const fs::path& checkpoint, const std::string& before) {
    const ModelFiles model = modelFilesOf(spec, checkpoint);
    const std::string now = arch::outlineOf(arch::makeModelSpec(arch::readModelConfig(model.folder))).text();
    const bool isKnown = before != spec.model.path; // old runs did not write it down
    if (isKnown && now != before)
        throw invalidInput("The model in '" + spec.model.path + "' is another one now: " + now + ". The run trained " +
                               before + ".",
                           "Put the model back that it was begun with.");
}

void requireRows(const session::RunSpec& spec) {
    for (const session::DatasetSection& dataset : spec.data.datasets)
        for (const std::string& file : dataset.files)
            if (std::error_code ignored; !fs::exists(file, ignored))
                throw invalidInput("The rows in '" + file + "' are not there any more.",
                                   "Put them back: a run goes on with the rows that it was begun with.");
}

void look(const StoredRun& run, Resumption& resumption) {
    const RunFiles files{run.folder};
    if (run.outcome == RunOutcome::kRunning)
        throw invalidInput("It is under way.", "Stop it first, or wait for its end.");
    const auto last = std::ranges::find_if(
        run.checkpoints, [&](const StoredCheckpoint& checkpoint) { return run.isToResumeFrom(checkpoint); });
    if (last == run.checkpoints.end())
        throw invalidInput("It has no checkpoint to go on from.",
                           run.adapterBytes + run.modelBytes > 0 ? "Train on from what it made: Results, What next."
                                                                 : "Start it anew.");
    resumption.checkpoint = files.checkpoints() / last->name;
    resumption.step = last->step;
    const std::optional<session::RunSpec> settings = settingsOf(run.folder);
    resumption.spec = settings ? *settings : specOf(run.folder); // which says what is missing
    resumption.steps = readMetrics(files.metrics());
    std::erase_if(resumption.steps, [&](const session::StepMetrics& metrics) { return metrics.step > last->step; });
    resumption.totalSteps = run.totalSteps;
    resumption.prompts = samplePromptsOf(files);
    if (run.totalSteps > 0 && last->step >= run.totalSteps)
        throw invalidInput("It has done all its steps.", "Train on from what it made: Results, What next.");
    requireSameModel(resumption.spec, resumption.checkpoint, run.model);
    requireRows(resumption.spec);
}

} // namespace

void requireRun(const fs::path& folder) {
    const RunFiles files{folder};
    std::error_code none;
    if (fs::is_directory(folder, none) && ::access(folder.c_str(), R_OK | X_OK) != 0)
        throw ioError("read", folder, errno);
    if (isRunFolder(folder) || fs::exists(files.checkpoints(), none) || fs::exists(files.lock(), none)) return;
    throw invalidInput("'" + folder.string() + "' holds no run to go on with.",
                       "Name the folder of a run, or start one without --resume.");
}

std::optional<session::RunSpec> settingsOf(const fs::path& folder) {
    const RunFiles files{folder};
    std::error_code unseen;
    const auto inCheckpoint = [&]() -> std::optional<fs::path> {
        const auto newest = newestCheckpoint(files).newest;
        if (!newest || !fs::exists(newest->folder / kCheckpointSettings, unseen)) return std::nullopt;
        return newest->folder / kCheckpointSettings;
    };
    if (fs::exists(files.spec(), unseen)) {
        try {
            return specOf(folder);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::kInvalidInput || !inCheckpoint()) throw;
            throw invalidInput(error.message(), "Mend it, or move it away: the run then goes on with the settings of "
                                                "its newest checkpoint.");
        }
    }
    const std::optional<fs::path> settings = inCheckpoint();
    if (!settings) return std::nullopt;
    log::warning("'" + files.spec().string() + "' is missing: the settings are those of '" +
                 settings->parent_path().string() + "'.");
    session::RunSpec spec = session::readRunSpec(*settings);
    spec.output.folder = fs::weakly_canonical(fs::absolute(folder)).string();
    return spec;
}

Resumption resumptionOf(const StoredRun& run) {
    Resumption resumption;
    resumption.stepsDone = run.steps;
    try {
        look(run, resumption);
    } catch (const Error& error) {
        resumption.problem = error.message();
        resumption.advice = error.advice();
    }
    return resumption;
}

} // namespace roundpipe::runs
