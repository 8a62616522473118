// SPDX-License-Identifier: GPL-3.0-or-later
// Whether and how a run that has not done all its steps goes on.
#pragma once

#include "runs/stored_run.h"
#include "session/engine.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::runs {

struct Resumption {
    session::RunSpec spec;                   // with the run's folder as its own
    std::vector<std::string> prompts;        // that the run was given
    std::filesystem::path checkpoint;        // from which it goes on
    std::vector<session::StepMetrics> steps; // that were done up to there, as far as they were written down
    int64_t step = 0;                        // steps done there
    int64_t stepsDone = 0;                   // by the run: those beyond `step` are done again
    int64_t totalSteps = 0;                  // 0: not known
    std::string problem = {}, advice = {};   // why it can't go on; empty: nothing is known to be in the way
};

// Whether a run ended before its last step, as far as it says.
constexpr bool isUnfinished(RunOutcome outcome) {
    return outcome == RunOutcome::kStopped || outcome == RunOutcome::kFailed || outcome == RunOutcome::kInterrupted;
}

// Throws kInvalidInput where the folder holds no run, not even one that was killed at its very beginning.
void requireRun(const std::filesystem::path& folder);

// What the run in this folder trains, with the folder as its own: as its run.json says or, where that is gone, as its
// newest checkpoint does, which is said in the log; nothing where neither is there. Throws as specOf().
std::optional<session::RunSpec> settingsOf(const std::filesystem::path& folder);

// Looks at the run's folder, its model and its files of rows as they are now; opens no weights and no rows.
Resumption resumptionOf(const StoredRun& run);

} // namespace roundpipe::runs
