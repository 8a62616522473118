// SPDX-License-Identifier: GPL-3.0-or-later
// How a run stands, by its journal: lines that are only ever added, so that a kill changes none of them.
#pragma once

#include "runs/journal.h"
#include "session/engine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::runs {

struct RunStanding {
    std::optional<session::RunState> end; // as the newest process wrote it down; nothing: it has not
    int64_t begunAt = 0;                  // seconds since 1970, the first time
    int64_t endedAt = 0;                  // 0: not yet
    int64_t heardAt = 0;                  // when it last wrote something down
    std::string problem;                  // where it failed
};

// Nothing where the journal tells of no beginning: it was run by a version that kept none. A process that was to go on
// and was refused counts for nothing.
std::optional<RunStanding> standingBy(const std::vector<JournalEntry>& journal);

} // namespace roundpipe::runs
