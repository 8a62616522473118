// SPDX-License-Identifier: GPL-3.0-or-later
// Whose a run's folder is: each run draws a name as it begins (TrainingState::run), which stands in more than one of
// its files, as a single one of them may be lost, or another run's put in its place.
#pragma once

#include "runs/run_files.h"

#include <filesystem>
#include <set>
#include <string>

namespace roundpipe::runs {

struct RunNames {
    std::filesystem::path by;    // the file that says so
    std::set<std::string> names; // more than one where another run's checkpoint was accepted; empty: nobody can tell
};

// By the first that says anything of: run.lock, which nobody has a reason to exchange, status.json, and the journal.
// Throws kIo where the journal can't be read.
RunNames namesOfRun(const RunFiles& files);

} // namespace roundpipe::runs
