// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a run while it runs: who holds it, how it stands, and what it leaves (runs/run_files.h).
#pragma once

#include "runs/answers_file.h"
#include "runs/journal.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "runs/run_status.h"
#include "runs/training_state.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::engine {

// Where the spec leaves its microbatches open: those that the checkpoint was made with, if anything says them any more.
// Throws as readRunSpec.
void keepMicrobatches(const runs::FoundCheckpoint& checkpoint, session::RunSpec& spec);

// Files and folders that are made for a run: gone again where nothing comes of it.
class MadePaths {
public:
    MadePaths() = default;
    MadePaths(const MadePaths&) = delete;
    MadePaths& operator=(const MadePaths&) = delete;
    ~MadePaths(); // of folders those that are empty

    void makeFolder(const std::filesystem::path& folder); // and what it lies in; throws kIo
    void add(const std::filesystem::path& path) { m_paths.push_back(path); }
    void keep() { m_paths.clear(); }

private:
    std::vector<std::filesystem::path> m_paths; // each after what it lies in
};

// Used by the run's thread only, but for note().
class RunFolder {
public:
    // Makes the folder, holds it, and proves that it can be written to. With `resume` it finds the newest checkpoint
    // that is whole; a run that was killed before its first one starts over. Where a run is to go on nothing changes in
    // it until that is planned, so that one which is refused leaves all as it was. Throws kIo or kNoSpace;
    // kInvalidInput where another run is under way in it, where it holds another run's results, or others, and `resume`
    // is false, and where it holds no run to resume or nothing whole; then nothing that it made is left.
    RunFolder(const std::filesystem::path& folder, bool resume);

    const runs::RunFiles& files() const { return m_files; }
    // The same files by paths that lead there while somebody moves the folder, so that nothing is written half here and
    // half there; nobody is shown them.
    runs::RunFiles held() const;
    // A path, or words with paths, of held() as of files().
    std::string shown(std::string text) const;

    // What the run goes on from; nothing where it begins.
    const std::optional<runs::FoundCheckpoint>& resumesFrom() const { return m_search.newest; }
    const std::vector<std::string>& damaged() const { return m_search.damaged; } // newer ones, in words
    const std::string& run() const { return m_run; }                             // TrainingState::run of what it saves
    bool startsOver() const { return m_startsOver; }        // was to go on, and has nothing to go on from
    bool hasBegun() const { return m_journal.has_value(); } // false: nothing there has changed so far

    // A line of the journal on `where`, which lies in the folder. Any thread.
    void note(runs::JournalEvent event, int64_t step, const std::filesystem::path& where, const std::string& text);
    // Somebody may move, rename, empty or remove it meanwhile, which costs four looks at the file system to see.
    bool isInPlace() const { return m_lock->isAt(m_files.folder); }
    // Goes along with it; where it was emptied, it is held again; where it was removed, it is made anew, beside what
    // may stand there now. What has become of it, in words; nothing where it is in place, or cannot be made now.
    // Nothing may be written in it meanwhile.
    std::optional<session::RunText> follow();

    // A folder of results that this run has not made, or that somebody has changed, is renamed; empty where there is
    // none. Throws kIo.
    std::filesystem::path keepForeignAside(const std::filesystem::path& result) const;

    // A checkpoint, a result or a draft that is in the way: it is removed where the run has made all of it, else kept
    // beside `nameAside`, under a name like that, which is returned in words. Throws kIo.
    std::optional<session::RunText> giveUp(const std::filesystem::path& folder,
                                           const std::filesystem::path& nameAside) const;
    // As giveUp(), whoever has made it.
    session::RunText keepAside(const std::filesystem::path& folder, const std::filesystem::path& nameAside) const;
    std::vector<session::RunText> takeKeptAside() { return std::exchange(m_keptAside, {}); } // as the run began

    // How the run stands, for those who look at the folder. One that was to go on and was not planned stands as it did
    // before. The first plan begins it, where it has not: then what a run left of which nothing was kept is removed,
    // as are steps after the checkpoint.
    void planned(const session::RunPlan& plan);
    void ended(session::RunState state);
    void failed(const std::string& problem, const std::string& advice);

    // Whose folder follow() keeps right. Another run.json than the run has written, which says something else, is kept
    // beside it; in words.
    std::optional<session::RunText> writeSpec(const session::RunSpec& spec);
    // One line of metrics.jsonl. Throws kNoSpace or kIo; the line is written with the next one then.
    void appendMetrics(const session::StepMetrics& metrics);
    void writeMetrics(); // what could not be written so far; throws as well
    // What the run has traced so far, before it goes on from `step`.
    void keepEarlierTrace(int64_t step) const;
    void appendAnswer(const runs::SampleAnswer& answer) const;

private:
    void begin();
    std::string inFolder(const std::filesystem::path& where) const; // as the journal names it
    void clearWhatWasLeft();
    void forgetLaterMetrics() const; // a run that goes on writes them again
    bool isMadeAnew();
    void writeLastMetrics(); // what is lost then is said in log and journal
    bool isOwnSpec() const;
    bool isOwnResult(const std::filesystem::path& result) const;
    void putSpec();

    runs::RunFiles m_files;
    std::optional<runs::RunLock> m_lock; // always there; another one where the folder is another
    MadePaths m_made;                    // until it has begun; before the lock is let go
    runs::CheckpointSearch m_search;
    std::string m_run;
    std::set<std::string> m_runs; // once it has begun: that and others whose checkpoints were accepted
    bool m_resumes = false;
    bool m_startsOver = false;
    bool m_isOld = false; // nothing there says whose it is, so that nobody knows whose the results are
    runs::RunStatus m_status;
    std::optional<runs::Journal> m_journal;
    std::vector<runs::JournalEntry> m_toNote; // once it has begun
    int64_t m_step = 0;                       // done, as far as was said
    std::optional<session::RunSpec> m_spec;   // once it was written
    std::vector<session::RunText> m_keptAside;
    std::string m_unwrittenMetrics;
};

} // namespace roundpipe::engine
