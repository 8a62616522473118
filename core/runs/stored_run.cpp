// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/stored_run.h"

#include "base/error.h"
#include "base/file.h"
#include "base/secrets.h"
#include "runs/metrics_file.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "runs/run_standing.h"
#include "runs/run_status.h"
#include "runs/training_state.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sys/stat.h>
#include <utility>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;

int64_t bytesBelow(const fs::path& folder) {
    int64_t bytes = 0;
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code vanished; // a run may be writing
        if (!entry->is_regular_file(vanished)) continue;
        const auto size = entry->file_size(vanished);
        if (!vanished) bytes += static_cast<int64_t>(size);
    }
    return bytes;
}

// When its first process wrote its first line: the second of the day, and how many nanoseconds it had run by then.
std::string idBy(const std::vector<JournalEntry>& journal) {
    if (journal.empty()) return {};
    return fmt::format("{}-{:.0f}", journal.front().time, 1e9 * journal.front().elapsed);
}

int64_t secondsOf(const fs::path& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

void readSteps(StoredRun& run, const std::vector<session::StepMetrics>& steps) {
    for (const session::StepMetrics& step : steps) {
        run.seconds += step.seconds;
        run.tokens += step.tokens;
        if (!step.validationLoss) continue;
        if (!run.firstValidation) run.firstValidation = step.validationLoss;
        run.lastValidation = step.validationLoss;
        run.bestValidation = std::min(run.bestValidation.value_or(*step.validationLoss), *step.validationLoss);
    }
    if (steps.empty()) return;
    run.steps = steps.back().step;
    run.lastLoss = steps.back().loss;
}

std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->is_directory(failed)) folders.push_back(entry->path());
    std::ranges::sort(folders);
    return folders;
}

// As newestCheckpoint() chooses.
bool isNewer(const StoredCheckpoint& a, const StoredCheckpoint& b) {
    return a.step != b.step ? a.step > b.step : a.name == "last" && b.name != "last";
}

void readCheckpoints(StoredRun& run, const std::vector<session::StepMetrics>& steps) {
    for (const fs::path& folder : foldersIn(RunFiles{run.folder}.checkpoints())) {
        if (!isCheckpoint(folder)) continue;
        if (const std::string damage = damageOf(folder, LookAt::kSizes); !damage.empty()) {
            if (run.problem.empty()) run.problem = "The checkpoint '" + folder.string() + "' is damaged. " + damage;
            continue;
        }
        StoredCheckpoint checkpoint{folder.filename().string(), readTrainingState(folder).step, {}, bytesBelow(folder)};
        for (const session::StepMetrics& step : steps)
            if (step.step <= checkpoint.step && step.validationLoss) checkpoint.validationLoss = step.validationLoss;
        run.checkpoints.push_back(std::move(checkpoint));
    }
    std::ranges::stable_sort(run.checkpoints, isNewer);
}

void readSpec(StoredRun& run) {
    const session::RunSpec spec = specOf(run.folder);
    if (!spec.name.empty()) run.name = spec.name;
    if (run.model.empty()) run.model = spec.model.path;
}

// What it ran on, and, of a run of before there was a journal, how it ended.
void readStatusOf(StoredRun& run, std::optional<session::RunState>& end) {
    if (!fs::exists(RunFiles{run.folder}.status())) return;
    const RunStatus status = readStatus(run.folder);
    run.startedAt = status.startedAt;
    run.endedAt = status.endedAt;
    run.model = status.model;
    run.devices = status.devices;
    run.totalSteps = status.totalSteps;
    run.problem = status.problem;
    run.advice = status.advice;
    end = status.state;
}

RunOutcome outcomeOf(std::optional<session::RunState> end) {
    using session::RunState;
    return end == RunState::kFinished  ? RunOutcome::kFinished
           : end == RunState::kStopped ? RunOutcome::kStopped
           : end == RunState::kFailed  ? RunOutcome::kFailed
                                       : RunOutcome::kInterrupted;
}

void use(const RunStanding& standing, StoredRun& run) {
    run.endedAt = standing.endedAt;
    if (run.problem != standing.problem) run.advice.clear(); // another one's
    run.problem = standing.problem;
}

// Whoever holds the lock runs. How one ended that does not, its journal says; only where that has no end (its disk was
// full, or there was no journal yet), status.json, which says that it runs from before a process begins until it ends.
void readHowItStands(StoredRun& run) {
    const RunFiles files{run.folder};
    run.startedAt = secondsOf(files.spec());
    run.lastBeat = RunLock::lastBeat(run.folder);
    const std::vector<JournalEntry> journal = readJournal(files.journal());
    run.id = idBy(journal);
    const std::optional<RunStanding> standing = standingBy(journal);
    if (standing) run.startedAt = standing->begunAt; // where status.json does not say: it knows whose folder it was
    std::optional<session::RunState> end;
    std::string damage;
    try {
        readStatusOf(run, end);
    } catch (const Error& error) {
        damage = error.message();
    }
    if (standing && standing->end) {
        end = standing->end;
        use(*standing, run);
    }
    if (end || standing) run.outcome = outcomeOf(end);
    if (RunLock::isHeld(run.folder)) run.outcome = RunOutcome::kRunning;
    if (run.outcome == RunOutcome::kInterrupted) run.endedAt = std::max(run.lastBeat, standing ? standing->heardAt : 0);
    if (run.problem.empty()) run.problem = damage;
}

void readResults(StoredRun& run) {
    const std::vector<session::StepMetrics> steps = readMetrics(RunFiles{run.folder}.metrics());
    readSteps(run, steps);
    readCheckpoints(run, steps);
    // A line is written before there is a checkpoint of its step, but for a disk that was full then.
    if (!run.checkpoints.empty()) run.steps = std::max(run.steps, run.checkpoints.front().step);
}

std::string noteOf(const fs::path& folder) {
    const fs::path file = RunFiles{folder}.note();
    return fs::exists(file) ? readTextFile(file, int64_t{1} << 20) : std::string();
}

} // namespace

bool isRunFolder(const fs::path& folder) {
    const RunFiles files{folder};
    std::error_code ignored;
    return std::ranges::any_of(std::array{files.spec(), files.status(), files.metrics()},
                               [&](const fs::path& file) { return fs::exists(file, ignored); });
}

std::string idOf(const fs::path& folder) {
    return idBy(readJournal(RunFiles{folder}.journal()));
}

StoredRun readRun(const fs::path& folder) {
    if (!fs::is_directory(folder)) throw ioError("read the run", folder, ENOENT);
    StoredRun run;
    run.folder = folder;
    run.name = folder.filename().string();
    const auto attempt = [&](const auto& read) {
        try {
            read(run);
        } catch (const std::exception& error) {
            if (run.problem.empty()) run.problem = error.what();
        }
    };
    attempt(readHowItStands);
    attempt(readSpec);
    attempt(readResults);
    attempt([](StoredRun& read) { read.note = noteOf(read.folder); });
    for (std::string* words : {&run.name, &run.problem, &run.advice, &run.model, &run.note})
        *words = withoutSecrets(std::move(*words));
    run.adapterBytes = bytesBelow(RunFiles{folder}.adapter());
    run.modelBytes = bytesBelow(RunFiles{folder}.model());
    run.bytes = bytesBelow(folder);
    return run;
}

bool StoredRun::isToResumeFrom(const StoredCheckpoint& checkpoint) const {
    return std::ranges::none_of(checkpoints, [&](const StoredCheckpoint& other) { return isNewer(other, checkpoint); });
}

std::string fingerprintOf(const fs::path& folder) {
    const RunFiles files{folder};
    std::string print = RunLock::isHeld(folder) ? "held" : "free";
    const auto add = [&](const fs::path& file) {
        struct stat status {};
        print += ' ';
        if (::stat(file.c_str(), &status) != 0) return;
        print += std::to_string(status.st_size) + '@' + std::to_string(status.st_mtim.tv_sec) + '.' +
                 std::to_string(status.st_mtim.tv_nsec);
    };
    for (const fs::path& file :
         {files.spec(), files.status(), files.metrics(), files.answers(), files.note(), files.journal(), files.trace(),
          files.adapter(), files.model(), files.checkpoints(), files.lock()})
        add(file);
    for (const fs::path& checkpoint : foldersIn(files.checkpoints()))
        add(checkpoint);
    return print;
}

session::RunSpec specOf(const fs::path& folder) {
    session::RunSpec spec = session::readRunSpec(RunFiles{folder}.spec());
    spec.name = withoutSecrets(std::move(spec.name));
    spec.output.folder = fs::weakly_canonical(fs::absolute(folder)).string();
    return spec;
}

int64_t silentSeconds(const StoredRun& run, int64_t now) {
    constexpr int64_t kWorthAWord = 300;
    if (run.outcome != RunOutcome::kRunning || run.lastBeat == 0) return 0;
    const int64_t silent = now - run.lastBeat;
    return silent >= kWorthAWord ? silent : 0;
}

std::vector<std::string> devicesAskedBy(const fs::path& folder) {
    try {
        return specOf(folder).engine.devices;
    } catch (const Error&) { // as of one that has just begun
        return {};
    }
}

} // namespace roundpipe::runs
