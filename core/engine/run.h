// One run from its spec to its adapter. In the thread of the caller.
#pragma once

#include "engine/run_trace.h"
#include "engine/status_board.h"
#include "trace/recorder.h"

namespace roundpipe::engine {

struct RunJob {
    session::RunSpec spec;
    std::vector<std::string> samplePrompts; // answered before the first step and after the last
    bool resume = false;                    // from the output folder's last checkpoint
};

// Returns kFinished, or kStopped after a request to stop (saved). Throws what ends the run otherwise; kCancelled when
// it was stopped before its first step.
session::RunState run(const RunJob& job, StatusBoard& board, trace::Recorder& recorder, RunTrace& trace);

} // namespace roundpipe::engine
