// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run_folder.h"

#include "base/error.h"
#include "base/file.h"
#include "runs/json_lines.h"
#include "runs/metrics_file.h"
#include "runs/training_state.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <sstream>

namespace roundpipe::engine {
namespace {

namespace fs = std::filesystem;

void makeFolder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw ioError("make the folder", folder, failed.value());
}

void removeFile(const fs::path& file) {
    std::error_code failed;
    fs::remove(file, failed);
    if (failed) throw ioError("remove", file, failed.value());
}

// Whether the run there was stopped and nothing of it was kept, but its curves: the next one may take the folder.
bool wasDiscarded(const runs::RunFiles& files) {
    for (const fs::path& kept : {files.lastCheckpoint(), files.bestCheckpoint(), files.adapter(), files.model()})
        if (fs::exists(kept)) return false;
    try {
        return runs::readStatus(files.folder).state == session::RunState::kStopped;
    } catch (const Error&) { // nobody knows
        return false;
    }
}

runs::RunFiles prepared(const fs::path& folder, bool resume) {
    if (folder.empty()) throw invalidInput("'output.folder' is empty.", "Choose a folder for the run.");
    const runs::RunFiles files{fs::absolute(folder)};
    if (fs::exists(files.folder) && !fs::is_directory(files.folder))
        throw invalidInput("'" + files.folder.string() + "' is a file.", "Choose a folder for the run.");
    // One that is under way may have none yet: its lock says what is the matter.
    if (resume && !runs::hasTrainingState(runs::checkpointToResumeFrom(files)) && !runs::RunLock::isHeld(files.folder))
        throw invalidInput("'" + files.folder.string() + "' has no checkpoint to go on from.",
                           "Start the run without --resume.");
    if (!resume && fs::exists(files.metrics()) && !wasDiscarded(files))
        throw invalidInput("'" + files.folder.string() + "' holds the results of another run.",
                           std::string("Choose another folder, ") +
                               (runs::hasTrainingState(runs::checkpointToResumeFrom(files))
                                    ? "remove that one, or continue its run (on the command line: --resume)."
                                    : "or remove that one."));
    makeFolder(files.checkpoints());
    writeFileAtomically(files.folder / ".writable", "");
    fs::remove(files.folder / ".writable");
    return files;
}

int64_t secondsNow() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

RunFolder::RunFolder(const fs::path& folder, bool resume) : m_files(prepared(folder, resume)), m_lock(m_files.folder) {
    if (!resume)
        for (const fs::path& old : {m_files.metrics(), m_files.answers()}) // of a run that was discarded
            removeFile(old);
    m_status.startedAt = secondsNow();
    if (resume && fs::exists(m_files.status())) m_status.startedAt = runs::readStatus(m_files.folder).startedAt;
    runs::writeStatus(m_status, m_files.folder);
}

void RunFolder::planned(const session::RunPlan& plan) {
    m_status.state = session::RunState::kTraining;
    m_status.model = plan.model.text();
    for (const session::DeviceInfo& device : plan.devices)
        m_status.devices.push_back(device.name);
    m_status.totalSteps = plan.totalSteps;
    m_status.numExamples = plan.numExamples;
    m_status.numTrainableParameters = plan.numTrainableParameters;
    runs::writeStatus(m_status, m_files.folder);
}

void RunFolder::ended(session::RunState state) {
    m_status.state = state;
    m_status.endedAt = secondsNow();
    runs::writeStatus(m_status, m_files.folder);
    // Gone with a folder that somebody has moved away: what is saved in the new one is a run only beside it.
    if (m_spec && !fs::exists(m_files.spec())) session::writeRunSpec(*m_spec, m_files.spec());
}

void RunFolder::failed(const std::string& problem, const std::string& advice) {
    m_status.problem = problem;
    m_status.advice = advice;
    ended(session::RunState::kFailed);
}

void RunFolder::writeSpec(const session::RunSpec& spec) {
    m_spec = spec;
    session::writeRunSpec(spec, m_files.spec());
}

int64_t RunFolder::microbatchesBefore() const {
    return fs::exists(m_files.spec()) ? session::readRunSpec(m_files.spec()).batch.microbatches : 0;
}

void RunFolder::appendMetrics(const session::StepMetrics& metrics) {
    m_unwrittenMetrics += runs::toJsonLine(metrics);
    writeMetrics();
}

void RunFolder::writeMetrics() {
    if (m_unwrittenMetrics.empty()) return;
    runs::appendLine(m_files.metrics(), m_unwrittenMetrics);
    m_unwrittenMetrics.clear();
}

void RunFolder::truncateMetrics(int64_t step) const {
    if (!fs::exists(m_files.metrics())) return;
    std::istringstream lines(readTextFile(m_files.metrics()));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false); // a crash may have left half a line
        if (json.is_object() && json.value("step", step + 1) <= step) kept += line + "\n";
    }
    writeFileAtomically(m_files.metrics(), kept);
}

void RunFolder::appendAnswer(const runs::SampleAnswer& answer) const {
    runs::appendAnswer(answer, m_files.answers());
}

} // namespace roundpipe::engine
