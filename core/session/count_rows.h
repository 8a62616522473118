// SPDX-License-Identifier: GPL-3.0-or-later
// How long a run's examples are, counted at once, for who may wait for it.
#pragma once

#include "session/spec/run_shape.h"
#include "session/workbench.h"

#include <stop_token>

namespace roundpipe::session {

// Opens the spec's dataset in `workbench`, which nobody else uses meanwhile, and waits until all of its rows have been
// read. Throws what the workbench says is wrong with them, and kCancelled soon after `stop` was requested.
RunLengths countRows(Workbench& workbench, const RunSpec& spec, const std::stop_token& stop);

} // namespace roundpipe::session
