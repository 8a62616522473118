// SPDX-License-Identifier: GPL-3.0-or-later
// One run from its spec to its adapter. In the thread of the caller.
#pragma once

#include "device/device.h"
#include "engine/run_trace.h"
#include "session/run/status_board.h"
#include "trace/recording/recorder.h"

namespace roundpipe::engine {

// Returns kFinished, or kStopped after a request to stop (saved, unless it is to be discarded). Throws what ends the
// run otherwise; kCancelled when it was stopped before its first step. `onSpan`: as DeviceContext's, for tests.
session::RunState run(const session::RunJob& job, session::StatusBoard& board, trace::Recorder& recorder,
                      RunTrace& trace, const device::OnSpan& onSpan);

} // namespace roundpipe::engine
