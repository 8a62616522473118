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

// By the first of run.lock, status.json and the journal with which another one of them agrees: a single one may be
// another run's. Where none does, by the first that says anything. Throws kIo where the journal can't be read.
RunNames namesOfRun(const RunFiles& files);

} // namespace roundpipe::runs
