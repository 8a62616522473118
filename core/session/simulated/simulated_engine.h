// SPDX-License-Identifier: GPL-3.0-or-later
// An engine that trains nothing: it shows in real time what the planner predicts for a run of the spec.
#pragma once

#include "session/simulated/simulated_run.h"

namespace roundpipe::session {

// Stages, times, memory and rates of links are the planner's. What only training could tell (losses, answers) and how
// many rows there are is made up and says so (the plan's model summary, the warning that opens each run, every answer
// to a prompt). Nothing is written to disk: what a run would have saved is known while the engine lives, and only such
// a run can be resumed; start() throws kInvalidInput for others.
std::unique_ptr<Engine> makeSimulatedEngine(SimulatedRig rig = {});

} // namespace roundpipe::session
