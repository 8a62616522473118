// SPDX-License-Identifier: GPL-3.0-or-later
// roundpipe train --dry-run: what a run would be, without loading weights.
#pragma once

#include "session/spec/run_spec.h"

namespace roundpipe::cli {

int dryRun(const session::RunSpec& spec); // an ExitCode

} // namespace roundpipe::cli
