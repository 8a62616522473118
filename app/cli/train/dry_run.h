// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe train --dry-run: what a run would be, without loading weights, and what would keep it from its folder.
#pragma once

#include "session/spec/run_spec.h"

namespace roundpipe::cli {

// Refuses what the run would, but for rows or model files that are others than a run that goes on began with: to know
// that, all of a model is read. `resume` and `acceptsChanges`: as a session::RunJob has them. An ExitCode.
int dryRun(const session::RunSpec& spec, bool resume, bool acceptsChanges);

} // namespace roundpipe::cli
