// SPDX-License-Identifier: GPL-3.0-or-later
// What a process does that was begun to host a run.
#pragma once

#include "session/engine.h"

#include <functional>

namespace roundpipe::hosted {

// Serves the owner on standard input (EngineProcess) and all who come later, until the run is over and they know, or
// the owner has left before there was one. `stopRequested` is asked every round: the run then stops and saves. Returns
// how the run ended; kIdle: there was none.
session::RunState hostRun(session::Engine& engine, const std::function<bool()>& stopRequested);

} // namespace roundpipe::hosted
