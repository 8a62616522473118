// SPDX-License-Identifier: GPL-3.0-or-later
// journal.jsonl: what happened to a run, in order, over all the processes that it took. Lines are only ever added.
#pragma once

#include "base/file.h"
#include "base/spelling.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::runs {

enum class JournalEvent {
    kBegun,      // `step`: steps done before; `text`: the program and, of a run that goes on, from which checkpoint
    kCheckpoint, // `what` was written after `step`
    kNotWritten, // `what` could not be written after `step`; `text`: why
    kSkipped,    // `step` has updated nothing; `text`: why
    kRemedy,     // the run goes on in another way; `text`: which, and why
    kRefused,    // of older versions: was to go on, and was not: it stands as it did before; `text`: the problem
    kResult,     // `what`, the adapter or the model, was written after `step`; `text`: lookOf() it
    kEnded       // `what`: the state; `text`: the problem, where it failed
};
constexpr std::array<const char*, 8> spellings(JournalEvent) {
    return {"begun", "checkpoint", "not-written", "skipped", "remedy", "refused", "result", "ended"};
}

struct JournalEntry {
    int64_t time = 0;   // seconds since 1970, by a clock that may be set
    double elapsed = 0; // seconds since its process began the run, by one that may not
    JournalEvent event = JournalEvent::kBegun;
    int64_t step = 0;
    std::string what; // relative to the run's folder
    std::string text;
    std::string run = {}; // of kBegun: TrainingState::run of all that it saves; empty: of an older version
};

// Any thread.
class Journal {
public:
    // What a process that was killed has left of a line is ended first, so that it spoils no other. `shownAs`: what it
    // is called in the log, where `file` leads there in a way that says nothing to anybody.
    explicit Journal(std::filesystem::path file, std::filesystem::path shownAs = {});

    // Its folder was moved, or made anew: later lines stand there.
    void goOnIn(std::filesystem::path file, std::filesystem::path shownAs = {});
    // Where somebody has put another file in its place, or none, the line that began the run stands there before the
    // next one: else what follows would be told of another run, or of none.
    // On the disk when the call returns. What can't be written is kept for the next line, and said once until it can: a
    // run does not end for that.
    void add(JournalEvent event, int64_t step, const std::string& what, const std::string& text,
             const std::string& run = {});

private:
    void warn(const std::string& words) const;
    bool isAnother() const; // than that which the last line was written to

    std::mutex m_mutex; // guards the rest
    std::filesystem::path m_file, m_shownAs;
    std::string m_unwritten;
    std::string m_begun;              // that line
    std::string m_run;                // in it
    std::optional<FileStamp> m_stamp; // of the file after the last line
    bool m_isWarnedOf = false;        // the disk
    int64_t m_beginNs;
};

// In order; lines that are no entries, or of events that are not known here, are left out. Empty where there is no
// file. Throws kIo.
std::vector<JournalEntry> readJournal(const std::filesystem::path& file);

// What tells a folder of results from another one, at little cost: a hash of its files' names, their sizes and the
// first MiB of each, but for its manifest, which has the run's name. Empty where there is no such folder.
std::string lookOf(const std::filesystem::path& folder);

} // namespace roundpipe::runs
