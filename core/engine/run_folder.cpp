// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run_folder.h"

#include "base/content_hash.h"
#include "base/error.h"
#include "base/file.h"
#include "base/fresh_folder.h"
#include "base/log.h"
#include "base/plain_words.h"
#include "runs/json_lines.h"
#include "runs/metrics_file.h"
#include "runs/own_folders.h"
#include "runs/resumption.h"
#include "session/spec/run_spec_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
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

std::vector<fs::path> resultsOf(const runs::RunFiles& files) {
    std::vector<fs::path> results;
    for (const fs::path& result : {files.adapter(), files.model()})
        if (fs::exists(result) && !fs::is_empty(result)) results.push_back(result);
    return results;
}

// Whether the run there was stopped and nothing of it was kept, but its curves: the next one may take the folder.
bool wasDiscarded(const runs::RunFiles& files) {
    if (!resultsOf(files).empty() || fs::exists(files.lastCheckpoint()) || fs::exists(files.bestCheckpoint()) ||
        runs::newestCheckpoint(files).newest)
        return false;
    try {
        return runs::readStatus(files.folder).state == session::RunState::kStopped;
    } catch (const Error&) { // nobody knows
        return false;
    }
}

// Where what it points to is gone, as on a disk that is not mounted, a folder cannot be made, and "File exists" says
// nothing.
void requireNoDeadLink(const fs::path& folder) {
    for (fs::path part = folder; part.has_relative_path() && !fs::exists(part); part = part.parent_path())
        if (fs::is_symlink(fs::symlink_status(part)))
            throw invalidInput("'" + part.string() + "' is a link to '" + fs::read_symlink(part).string() +
                                   "', which is not there.",
                               "Make that folder, or choose another one for the run.");
}

// What is written through a link lands in a file of somebody else. The folder itself may be one.
void requireNoLinks(const runs::RunFiles& files) {
    for (const fs::path& path : {files.lock(), files.journal(), files.log(), files.spec(), files.status(),
                                 files.metrics(), files.answers(), files.trace(), files.checkpoints()})
        if (std::error_code unseen; fs::is_symlink(fs::symlink_status(path, unseen)))
            throw invalidInput("'" + path.string() + "' is a link, and was left as it is.",
                               "Move it away, or choose another folder for the run.");
}

// Before the lock, which lies in the folder.
runs::RunFiles opened(const fs::path& folder, bool resume) {
    if (folder.empty()) throw invalidInput("'output.folder' is empty.", "Choose a folder for the run.");
    const runs::RunFiles files{fs::absolute(folder)};
    std::error_code failed;
    if (!fs::status_known(fs::status(files.folder, failed))) // as of a name that is too long
        throw ioError("use the folder", files.folder, failed.value());
    if (fs::exists(files.folder) && !fs::is_directory(files.folder))
        throw invalidInput("'" + files.folder.string() + "' is a file.", "Choose a folder for the run.");
    requireNoDeadLink(files.folder);
    requireNoLinks(files);
    const bool isNew = !fs::exists(files.folder) || fs::is_empty(files.folder); // it may be killed before it makes it
    if (resume && !isNew) runs::requireRun(files.folder);
    makeFolder(files.checkpoints());
    return files;
}

// Whether what lies there is a run's, as far as anybody can tell.
bool isOfARun(const runs::RunFiles& files) {
    try {
        if (!runs::readJournal(files.journal()).empty()) return true;
        runs::readStatus(files.folder);
        return true;
    } catch (const Error&) {
        return false;
    }
}

// All that a run writes in its folder and would be gone with the next one.
std::vector<fs::path> writtenBy(const runs::RunFiles& files) {
    return {files.spec(),           files.status(),  files.metrics(), files.answers(), files.exports(),
            files.conversations(),  files.log(),     files.trace(),   files.journal(), files.lastCheckpoint(),
            files.bestCheckpoint(), files.adapter(), files.model()};
}

bool isEmptyFolder(const fs::path& path) {
    return fs::is_directory(fs::symlink_status(path)) && fs::is_empty(path);
}

void requireNone(const std::vector<fs::path>& others) {
    for (const fs::path& other : others)
        throw invalidInput("'" + other.string() + "' is there already, and was not made by a run in this folder.",
                           "Choose another folder for the run, or move it away.");
}

// What stands under the names of a run's files where no run was.
void requireNothingOfOthers(const runs::RunFiles& files) {
    std::vector<fs::path> others;
    std::ranges::copy_if(writtenBy(files), std::back_inserter(others),
                         [](const fs::path& path) { return fs::exists(path) && !isEmptyFolder(path); });
    requireNone(others);
}

void requireFree(const runs::RunFiles& files) {
    const bool isOurs = isOfARun(files);
    if (!wasDiscarded(files)) {
        const bool canGoOn = fs::exists(files.metrics()) || runs::newestCheckpoint(files).newest;
        if (canGoOn)
            throw invalidInput("'" + files.folder.string() + "' holds the results of another run.",
                               "Choose another folder, remove that one, or continue its run (on the command line: "
                               "--resume).");
        requireNone(resultsOf(files));
    }
    if (!isOurs) requireNothingOfOthers(files);
    std::vector<fs::path> others;
    std::ranges::copy_if(runs::replaceableFolders(files), std::back_inserter(others), [&](const fs::path& path) {
        return !isEmptyFolder(path) && !(isOurs && runs::holdsOnlyOwnFiles(path));
    });
    requireNone(others);
}

fs::path renamedAside(const fs::path& path, const fs::path& nameAside) {
    std::error_code failed;
    const bool isFile = fs::is_regular_file(fs::symlink_status(path, failed));
    const fs::path name = isFile ? nameAside.stem() : nameAside.filename();
    const fs::path aside =
        freshFile(nameAside.parent_path(), name.string() + "-of-others", isFile ? nameAside.extension().string() : "");
    fs::rename(path, aside, failed);
    if (failed) throw ioError("rename", path, failed.value());
    return aside;
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += (text.empty() ? "" : " ") + sentence;
    return text;
}

// Commands that can be followed as they stand, but for the folder's name.
std::string insteadOfGoingOn(const runs::RunFiles& files) {
    const std::string anew = "roundpipe train " + shellWord(files.spec().string());
    if (!fs::exists(files.spec())) return "Begin a run anew, in another folder.";
    if (resultsOf(files).empty()) return "Begin it anew, in another folder: " + anew + " --out FOLDER.";
    return "Start a run from what it made (" + anew + " --start-from " + shellWord(files.folder.string()) +
           " --out FOLDER), or begin it anew (" + anew + " --out FOLDER).";
}

// Reads all of the checkpoint that is found.
runs::CheckpointSearch searched(const runs::RunFiles& files) {
    runs::CheckpointSearch search = runs::newestCheckpoint(files, runs::LookAt::kBytes);
    if (search.newest) return search;
    if (!search.damaged.empty())
        throw invalidInput("The run cannot go on from '" + files.checkpoints().string() +
                               "': what is there is damaged, or was changed. " + joined(search.damaged),
                           insteadOfGoingOn(files));
    if (!resultsOf(files).empty())
        throw invalidInput("'" + files.folder.string() + "' has no checkpoint to go on from.",
                           "Start a run from what it made (--start-from), in another folder.");
    return search;
}

int64_t secondsNow() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::optional<runs::RunStatus> statusOf(const fs::path& run) {
    try {
        return runs::readStatus(run);
    } catch (const Error& error) { // no reason not to go on
        log::warning(error.message());
        return std::nullopt;
    }
}

} // namespace

RunFolder::RunFolder(const fs::path& folder, bool resume)
    : m_files(opened(folder, resume)), m_lock(std::in_place, m_files.folder) {
    requireWritable(m_files.folder);
    if (resume)
        m_search = searched(m_files);
    else
        requireFree(m_files);
    m_startsOver = resume && !m_search.newest;
    if (m_startsOver && !isOfARun(m_files)) requireNothingOfOthers(m_files);
    if (!m_search.newest)
        for (const fs::path& old : {m_files.metrics(), m_files.answers()}) // of a run of which nothing was kept
            removeFile(old);
    const auto clear = [this](const fs::path& path) {
        if (auto kept = giveUp(path, path)) m_keptAside.push_back(std::move(*kept));
    };
    for (const fs::path& path : runs::replaceableFolders(m_files))
        if (!path.extension().empty()) clear(path); // a draft
    for (const fs::path& checkpoint : {m_files.lastCheckpoint(), m_files.bestCheckpoint()})
        if (!runs::hasTrainingState(checkpoint) && !runs::holdsOnlyOwnFiles(checkpoint)) clear(checkpoint);
    m_isOld = resume && !fs::exists(m_files.journal());
    m_journal.emplace(m_files.journal());
    std::optional<runs::RunStatus> before;
    if (fs::exists(m_files.status())) before = statusOf(m_files.folder);
    if (!before) clear(m_files.status()); // not to be read: it may be somebody's
    if (before) m_status.settings = before->settings;
    if (resume) m_before = before;
    m_status.startedAt = m_before ? m_before->startedAt : secondsNow();
    runs::writeStatus(m_status, m_files.folder);
    m_step = m_search.newest ? m_search.newest->state.step : 0;
    note(runs::JournalEvent::kBegun, m_step, m_search.newest ? m_search.newest->folder : fs::path(),
         "roundpipe " ROUNDPIPE_VERSION);
}

void RunFolder::note(runs::JournalEvent event, int64_t step, const fs::path& where, const std::string& text) {
    m_journal->add(event, step, where.lexically_proximate(m_files.folder).string(), text);
}

std::optional<session::RunText> RunFolder::follow() {
    if (isInPlace()) return std::nullopt;
    const fs::path before = m_files.folder;
    const fs::path place = m_lock->place();
    if (!place.empty())
        m_files.folder = place;
    else if (!isMadeAnew())
        return std::nullopt;
    m_journal->goOnIn(m_files.journal());
    const session::RunText text(place.empty() ? session::RunTextCode::kFolderGone : session::RunTextCode::kFolderMoved,
                                before.string(), m_files.folder.string());
    note(runs::JournalEvent::kRemedy, m_step, {}, text.text());
    try {
        if (m_spec) m_spec->output.folder = m_files.folder.string();
        if (m_spec) putSpec();
        runs::writeStatus(m_status, m_files.folder);
        log::openFile(m_files.log());
    } catch (const Error& error) { // a disk that is full: what is trained is worth more
        log::warning(error.message());
    }
    return text;
}

// False where it cannot be now: what is to be written there says why.
bool RunFolder::isMadeAnew() {
    const fs::path before = m_files.folder;
    try {
        if (fs::exists(before) && !m_lock->isLostAt(before))
            m_files.folder = freshFolder(before.parent_path(), before.filename());
        makeFolder(m_files.checkpoints());
        runs::RunLock lock(m_files.folder);
        m_lock.emplace(std::move(lock));
        return true;
    } catch (const std::exception& error) {
        log::warning(error.what());
        m_files.folder = before;
        return false;
    }
}

fs::path RunFolder::keepForeignAside(const fs::path& result) const {
    if (m_isOld || !fs::exists(result) || fs::is_empty(result)) return {};
    const std::string look = runs::lookOf(result);
    const std::string name = result.lexically_proximate(m_files.folder).string();
    for (const runs::JournalEntry& entry : runs::readJournal(m_files.journal()))
        if (entry.event == runs::JournalEvent::kResult && entry.what == name && entry.text == look) return {};
    return renamedAside(result, result);
}

std::optional<session::RunText> RunFolder::giveUp(const fs::path& folder, const fs::path& nameAside) {
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(folder, failed))) return std::nullopt;
    if (runs::holdsOnlyOwnFiles(folder)) {
        fs::remove_all(folder, failed);
        return std::nullopt;
    }
    return session::RunText(session::RunTextCode::kKeptAside, nameAside.string(),
                            renamedAside(folder, nameAside).string());
}

void RunFolder::planned(const session::RunPlan& plan) {
    m_before.reset();
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
    if (const auto moved = follow()) log::warning(moved->text());
    m_status.state = state;
    m_status.endedAt = std::max(m_status.startedAt, secondsNow()); // somebody may have set the clock
    m_journal->add(runs::JournalEvent::kEnded, m_step, spellingOf(state), m_status.problem);
    runs::writeStatus(m_status, m_files.folder);
}

void RunFolder::failed(const std::string& problem, const std::string& advice) {
    if (m_before) { // it was refused before it went on
        m_journal->add(runs::JournalEvent::kRefused, m_step, {}, problem);
        runs::writeStatus(*m_before, m_files.folder);
        return;
    }
    m_status.problem = problem;
    m_status.advice = advice;
    ended(session::RunState::kFailed);
}

std::optional<session::RunText> RunFolder::writeSpec(const session::RunSpec& spec) {
    m_spec = spec;
    std::optional<session::RunText> kept;
    if (fs::exists(m_files.spec()) && !isOwnSpec()) kept = giveUp(m_files.spec(), m_files.spec());
    putSpec();
    runs::writeStatus(m_status, m_files.folder);
    return kept;
}

// What older versions wrote nobody knows any more.
bool RunFolder::isOwnSpec() const {
    try {
        return m_status.settings.empty() || contentHashOfFile(m_files.spec()) == m_status.settings ||
               session::differingFields(session::readRunSpec(m_files.spec()), *m_spec).empty();
    } catch (const Error&) { // it is no run file
        return false;
    }
}

void RunFolder::putSpec() {
    session::writeRunSpec(*m_spec, m_files.spec());
    m_status.settings = contentHashOfFile(m_files.spec());
}

void RunFolder::keepMicrobatches(session::RunSpec& spec) const {
    if (spec.batch.microbatches > 0 || !fs::exists(m_files.spec())) return;
    const batch::StepRules before = session::readRunSpec(m_files.spec()).batch;
    spec.batch.microbatches = before.microbatches;
    if (spec.batch.microbatchSize == 0) spec.batch.microbatchSize = before.microbatchSize;
}

void RunFolder::appendMetrics(const session::StepMetrics& metrics) {
    m_step = metrics.step;
    m_lock->beat();
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
    std::istringstream lines(readTextFile(m_files.metrics(), runs::kMostOfLines));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false); // a crash may have left half a line
        if (json.is_object() && json.contains("step") && json["step"].is_number_integer() && json["step"] <= step)
            kept += line + "\n";
    }
    writeFileAtomically(m_files.metrics(), kept);
}

// It may have gone on from that step before.
void RunFolder::keepEarlierTrace(int64_t step) const {
    const fs::path earlier = m_files.earlierTrace(step);
    std::error_code none;
    if (!fs::exists(m_files.trace(), none)) return;
    fs::rename(m_files.trace(), freshFile(m_files.folder, earlier.stem().string(), earlier.extension().string()), none);
}

void RunFolder::appendAnswer(const runs::SampleAnswer& answer) const {
    runs::appendAnswer(answer, m_files.answers());
}

} // namespace roundpipe::engine
