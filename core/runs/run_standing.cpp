// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_standing.h"

#include <algorithm>

namespace roundpipe::runs {
namespace {

void begin(std::optional<RunStanding>& standing, const JournalEntry& entry) {
    const int64_t first = standing ? standing->begunAt : entry.time;
    standing.emplace().begunAt = first;
}

void end(RunStanding& standing, const JournalEntry& entry) {
    standing.end = fromSpelling<session::RunState>(entry.what);
    standing.endedAt = std::max(standing.begunAt, entry.time); // somebody may have set the clock
    standing.problem = entry.text;
}

} // namespace

std::optional<RunStanding> standingBy(const std::vector<JournalEntry>& journal) {
    std::optional<RunStanding> standing, before;
    for (const JournalEntry& entry : journal) {
        if (entry.event == JournalEvent::kBegun) {
            before = standing;
            begin(standing, entry);
        }
        if (!standing) continue; // its beginning could not be written
        if (entry.event == JournalEvent::kEnded) end(*standing, entry);
        standing->heardAt = entry.time;
        if (entry.event == JournalEvent::kRefused) standing = before;
    }
    return standing;
}

} // namespace roundpipe::runs
