// SPDX-License-Identifier: GPL-3.0-or-later
// What a terminal shows of a run, of this process or of another.
#pragma once

#include "console/progress.h"
#include "session/engine.h"

#include <optional>
#include <vector>

namespace roundpipe::cli {

class RunView {
public:
    explicit RunView(Progress& progress) : m_progress(progress) {} // lives longer

    // What is new, and how the run stood at the time.
    void show(const std::vector<session::RunEvent>& events, const session::Snapshot& snapshot);
    void show(const session::RunEvent& event, const session::Snapshot& snapshot);
    // Says how it ended; an ExitCode.
    int end(session::RunState state);

private:
    Progress& m_progress;
    std::optional<int> m_failure; // the exit code of an error
};

} // namespace roundpipe::cli
