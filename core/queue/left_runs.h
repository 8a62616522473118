// SPDX-License-Identifier: GPL-3.0-or-later
// What has become of the runs that have left the line.
#pragma once

#include "queue/run_queue.h"
#include "runs/run_library.h"

#include <optional>
#include <vector>

namespace roundpipe::queue {

struct LeftRun {
    BegunRun entry;
    std::optional<runs::StoredRun> run;   // nothing: it has no folder, or none any more
    std::optional<session::RunSpec> spec; // of one that is under way
    bool isStarting = false;              // it was begun, and has no folder yet

    bool isUnderWay() const { return run && run->outcome == runs::RunOutcome::kRunning; }
    bool hasFailed() const { return run ? run->outcome == runs::RunOutcome::kFailed : !entry.problem.empty(); }
    std::string name() const { return run ? run->name : entry.name; }
    // That it is trained on, or is about to be.
    const std::vector<std::string>& devices() const { return spec ? spec->engine.devices : entry.devices; }
    double secondsLeft() const; // of one that is under way, by its steps so far; 0: not known
};

// Of `begun` as the line has it, in its order. The library knows most of them, at little cost: those whose folder was
// moved after their end, too, as long as they are in it. `isTrained`: whether somebody trains the line.
std::vector<LeftRun> leftRunsOf(const std::vector<BegunRun>& begun, runs::RunLibrary& library, bool isTrained);

} // namespace roundpipe::queue
