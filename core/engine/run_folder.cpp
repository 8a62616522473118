// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run_folder.h"

#include "base/content_hash.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "base/fresh_folder.h"
#include "base/log.h"
#include "base/plain_words.h"
#include "runs/json_lines.h"
#include "runs/metrics_file.h"
#include "runs/own_folders.h"
#include "runs/run_names.h"
#include "runs/usable_folder.h"
#include "session/spec/run_spec_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <random>
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

// A new run is refused before it makes anything.
runs::RunFiles filesFor(const fs::path& folder, bool resume) {
    if (!resume) runs::requireUsable(folder, false);
    return runs::filesForRun(folder, resume);
}

bool isNewOrEmpty(const fs::path& folder) {
    std::error_code unseen;
    return !fs::exists(folder, unseen) || fs::is_empty(folder, unseen);
}

fs::path renamedAside(const fs::path& path, const fs::path& nameAside) {
    std::error_code failed;
    const bool isFile = fs::is_regular_file(fs::symlink_status(path, failed));
    const fs::path name = isFile ? nameAside.stem() : nameAside.filename();
    const fs::path aside = freshFile(nameAside.parent_path(), name.string() + runs::kAsideOfOthers,
                                     isFile ? nameAside.extension().string() : "");
    fs::rename(path, aside, failed);
    if (failed) throw ioError("rename", path, failed.value());
    return aside;
}

std::string newRun() {
    std::random_device random;
    std::string name;
    for (int word = 0; word < 4; ++word)
        name += fmt::format("{:08x}", random());
    return name;
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

void keepMicrobatches(const runs::FoundCheckpoint& checkpoint, session::RunSpec& spec) {
    if (spec.batch.microbatches > 0) return;
    const fs::path ofCheckpoint = checkpoint.folder / runs::kCheckpointSettings;
    const fs::path ofRun = runs::RunFiles{checkpoint.folder.parent_path().parent_path()}.spec();
    const fs::path& settings = fs::exists(ofCheckpoint) ? ofCheckpoint : ofRun; // older versions kept none there
    if (!fs::exists(settings)) return;
    const batch::StepRules before = session::readRunSpec(settings).batch;
    spec.batch.microbatches = before.microbatches;
    if (spec.batch.microbatchSize == 0) spec.batch.microbatchSize = before.microbatchSize;
}

MadePaths::~MadePaths() {
    std::error_code ignored;
    for (; !m_paths.empty(); m_paths.pop_back())
        fs::remove(m_paths.back(), ignored);
}

void MadePaths::makeFolder(const fs::path& folder) {
    std::vector<fs::path> missing;
    std::error_code unseen;
    for (fs::path part = folder; part.has_relative_path() && !fs::exists(part, unseen); part = part.parent_path())
        missing.push_back(part);
    engine::makeFolder(folder);
    m_paths.insert(m_paths.end(), missing.rbegin(), missing.rend());
}

RunFolder::RunFolder(const fs::path& folder, bool resume) : m_files(filesFor(folder, resume)), m_resumes(resume) {
    const bool isNew = isNewOrEmpty(m_files.folder);
    m_made.makeFolder(m_files.folder);
    const bool hadLock = fs::exists(m_files.lock());
    m_lock.emplace(m_files.folder);
    if (!hadLock) m_made.add(m_files.lock());
    requireWritable(m_files.folder);
    m_search = runs::startIn(m_files, resume);
    m_startsOver = resume && !m_search.newest;
    m_step = m_search.newest ? m_search.newest->state.step : 0;
    m_run = m_search.newest ? m_search.newest->state.run : "";
    if (m_run.empty()) m_run = newRun();
    if (!resume || isNew) begin();
}

void RunFolder::begin() {
    m_made.makeFolder(m_files.checkpoints());
    clearWhatWasLeft();
    if (m_resumes) m_runs = runs::namesOfRun(m_files).names;
    m_isOld = m_resumes && m_runs.empty() && !fs::exists(m_files.journal());
    m_runs.insert(m_run);
    std::optional<runs::RunStatus> before;
    if (fs::exists(m_files.status())) before = statusOf(m_files.folder);
    if (!before)
        if (auto kept = giveUp(m_files.status(), m_files.status())) // not to be read: it may be somebody's
            m_keptAside.push_back(std::move(*kept));
    if (before && (before->run.empty() || m_runs.contains(before->run))) { // another run's tells of its own
        m_status.settings = before->settings;
        m_status.settingsToCome = before->settingsToCome;
    }
    m_status.run = m_run;
    m_status.startedAt = m_resumes && before ? before->startedAt : secondsNow();
    runs::writeStatus(m_status, m_files.folder);
    m_lock->writeRuns(m_runs);
    m_journal.emplace(held().journal(), m_files.journal());
    m_journal->add(runs::JournalEvent::kBegun, m_step, m_search.newest ? inFolder(m_search.newest->folder) : "",
                   "roundpipe " ROUNDPIPE_VERSION, m_run);
    for (const runs::JournalEntry& entry : std::exchange(m_toNote, {}))
        m_journal->add(entry.event, entry.step, entry.what, entry.text);
    m_made.keep();
    log::openFile(m_files.log());
}

void RunFolder::clearWhatWasLeft() {
    if (m_search.newest)
        forgetLaterMetrics();
    else
        for (const fs::path& old : {m_files.metrics(), m_files.answers()}) // of a run of which nothing was kept
            removeFile(old);
    const auto clear = [this](const fs::path& path) {
        if (m_search.newest && path == m_search.newest->folder) return;
        if (auto kept = giveUp(path, path)) m_keptAside.push_back(std::move(*kept));
    };
    for (const fs::path& path : runs::replaceableFolders(m_files))
        if (!path.extension().empty()) clear(path); // a draft
    for (const fs::path& checkpoint : {m_files.lastCheckpoint(), m_files.bestCheckpoint()})
        if (!runs::hasTrainingState(checkpoint) && !runs::holdsOnlyOwnFiles(checkpoint)) clear(checkpoint);
}

runs::RunFiles RunFolder::held() const {
    const fs::path held = m_lock->held();
    return held.empty() ? m_files : runs::RunFiles{held};
}

std::string RunFolder::shown(std::string text) const {
    const std::string held = m_lock->held(), folder = m_files.folder;
    const auto isDigit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    for (std::size_t at = 0; !held.empty() && (at = text.find(held, at)) != std::string::npos; at += folder.size())
        if (!isDigit(at + held.size())) text.replace(at, held.size(), folder); // else another one's number
    return text;
}

std::string RunFolder::inFolder(const fs::path& where) const {
    return fs::path(shown(where.string())).lexically_proximate(m_files.folder).string();
}

void RunFolder::note(runs::JournalEvent event, int64_t step, const fs::path& where, const std::string& text) {
    const std::string what = inFolder(where);
    if (!hasBegun()) // by the run's thread: no other writes before that
        m_toNote.push_back({.event = event, .step = step, .what = what, .text = text});
    else
        m_journal->add(event, step, what, text);
}

std::optional<session::RunText> RunFolder::follow() {
    if (isInPlace()) return std::nullopt;
    const fs::path before = m_files.folder;
    const fs::path place = m_lock->place();
    if (!place.empty())
        m_files.folder = place;
    else if (!isMadeAnew())
        return std::nullopt;
    if (hasBegun()) m_journal->goOnIn(held().journal(), m_files.journal());
    m_made.keep(); // they are elsewhere
    const session::RunText text(place.empty() ? session::RunTextCode::kFolderGone : session::RunTextCode::kFolderMoved,
                                before.string(), m_files.folder.string());
    note(runs::JournalEvent::kRemedy, m_step, {}, text.text());
    if (!hasBegun()) return text;
    try {
        if (m_spec) m_spec->output.folder = m_files.folder.string();
        if (m_spec)
            putSpec();
        else
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
        if (hasBegun()) m_lock->writeRuns(m_runs);
        return true;
    } catch (const std::exception& error) {
        log::warning(error.what());
        m_files.folder = before;
        return false;
    }
}

fs::path RunFolder::keepForeignAside(const fs::path& result) const {
    if (!fs::exists(result) || fs::is_empty(result) || isOwnResult(result)) return {};
    return renamedAside(result, result);
}

// Its journal may be cut short, or another one's; results of older versions name no run.
bool RunFolder::isOwnResult(const fs::path& result) const {
    if (const std::string run = runs::runThatSealed(result); !run.empty())
        return m_runs.contains(run) && runs::holdsOnlyOwnFiles(result);
    if (m_isOld) return true;
    const std::string look = runs::lookOf(result);
    const std::string name = inFolder(result);
    return std::ranges::any_of(runs::readJournal(held().journal()), [&](const runs::JournalEntry& entry) {
        return entry.event == runs::JournalEvent::kResult && entry.what == name && entry.text == look;
    });
}

std::optional<session::RunText> RunFolder::giveUp(const fs::path& folder, const fs::path& nameAside) const {
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(folder, failed))) return std::nullopt;
    if (runs::holdsOnlyOwnFiles(folder)) {
        fs::remove_all(folder, failed);
        return std::nullopt;
    }
    return keepAside(folder, nameAside);
}

session::RunText RunFolder::keepAside(const fs::path& folder, const fs::path& nameAside) const {
    return session::RunText(session::RunTextCode::kKeptAside, shown(nameAside.string()),
                            shown(renamedAside(folder, nameAside).string()));
}

void RunFolder::planned(const session::RunPlan& plan) {
    if (!hasBegun()) begin();
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
    if (!hasBegun()) return;
    if (const auto moved = follow()) log::warning(moved->text());
    writeLastMetrics();
    m_status.state = state;
    m_status.endedAt = std::max(m_status.startedAt, secondsNow()); // somebody may have set the clock
    m_journal->add(runs::JournalEvent::kEnded, m_step, spellingOf(state), m_status.problem);
    runs::writeStatus(m_status, m_files.folder);
}

void RunFolder::failed(const std::string& problem, const std::string& advice) {
    m_status.problem = problem;
    m_status.advice = advice;
    ended(session::RunState::kFailed);
}

std::optional<session::RunText> RunFolder::writeSpec(const session::RunSpec& spec) {
    m_spec = spec;
    std::optional<session::RunText> kept;
    if (fs::exists(m_files.spec()) && !isOwnSpec()) kept = giveUp(m_files.spec(), m_files.spec());
    putSpec();
    return kept;
}

// What older versions wrote nobody knows any more.
bool RunFolder::isOwnSpec() const {
    try {
        if (m_status.settings.empty() || contentHashOfFile(m_files.spec()) == m_status.settings) return true;
        const session::RunSpec found = session::readRunSpec(m_files.spec());
        return runs::hashOfSettings(found) == m_status.settingsToCome ||
               session::differingFields(found, *m_spec).empty();
    } catch (const Error&) { // it is no run file
        return false;
    }
}

// The disk may be full before any of the three, or the run be killed: status.json knows both that may be there then.
void RunFolder::putSpec() {
    m_status.settingsToCome = runs::hashOfSettings(*m_spec);
    runs::writeStatus(m_status, m_files.folder);
    session::writeRunSpec(*m_spec, m_files.spec());
    m_status.settings = contentHashOfFile(m_files.spec());
    m_status.settingsToCome.clear();
    runs::writeStatus(m_status, m_files.folder);
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

void RunFolder::writeLastMetrics() {
    try {
        writeMetrics();
    } catch (const Error& error) {
        const std::string lost = fmt::format("{} The curves lack {} at their end.", error.message(),
                                             counted(std::ranges::count(m_unwrittenMetrics, '\n'), "step"));
        log::warning(lost);
        note(runs::JournalEvent::kRemedy, m_step, m_files.metrics(), lost);
    }
}

void RunFolder::forgetLaterMetrics() const {
    if (!fs::exists(m_files.metrics())) return;
    std::istringstream lines(readTextFile(m_files.metrics(), runs::kMostOfLines));
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false); // a crash may have left half a line
        if (json.is_object() && json.contains("step") && json["step"].is_number_integer() && json["step"] <= m_step)
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
