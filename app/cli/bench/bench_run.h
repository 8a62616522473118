// SPDX-License-Identifier: GPL-3.0-or-later
// A run by the engine's door, of which is kept what it says and records.
#pragma once

#include "plan/rig/rig.h"
#include "session/engine.h"
#include "trace/store/lane_store.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roundpipe::cli {

struct BenchRun {
    session::RunSpec spec;
    plan::Rig rig; // as the run's planner saw it
    std::shared_ptr<const session::RunPlan> plan;
    std::vector<session::StepMetrics> steps;
    session::MachineStatus peaks; // the most of each that was seen; rates are not kept
    int64_t ownBytesBefore = 0;   // of memory that is no file's, when the run was started
    int64_t ownBytes = 0;         // at most while it ran
    trace::LaneStore trace;       // of the steps that followed until the run had stopped, too
    uint64_t numRecordsDropped = 0;
};

// Runs `spec`, which has more than `numSteps` steps, until that many are done; no results are written where a step
// takes longer than a look at the run. `doing` gets words for a passing line; false stops the run. Warnings go to
// standard error. Throws what ended the run, kCancelled where it was stopped before.
BenchRun runBench(const session::RunSpec& spec, int64_t numSteps, const std::function<bool(const std::string&)>& doing);

} // namespace roundpipe::cli
