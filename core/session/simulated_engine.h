// An engine that trains nothing: it shows in real time what a run of the spec would look like, with made-up numbers.
#pragma once

#include "session/engine.h"
#include "session/simulated_schedule.h"

namespace roundpipe::session {

// Reads the model's config.json for the layers, and nothing else. Everything else is made up, says so (the plan's model
// summary, the warning that opens each run, every answer to a prompt), and nothing is written to disk;
// so there is nothing to resume, and a resumed run starts over.
std::unique_ptr<Engine> makeSimulatedEngine(SimulatedRig rig = {});

} // namespace roundpipe::session
