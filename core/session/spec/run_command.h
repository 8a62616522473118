// SPDX-License-Identifier: GPL-3.0-or-later
// The command line that starts the same run: "roundpipe train --model … --rank 32".
#pragma once

#include "session/spec/run_spec.h"

#include <string>
#include <vector>

namespace roundpipe::session {

// Behind "roundpipe": the command, and an option for each field that is not at its default. Lists that are empty
// against their default can't be said that way (a run with such a one is not valid).
std::vector<std::string> trainArguments(const RunSpec& spec, const std::vector<std::string>& prompts = {});

// The whole line, quoted for a POSIX shell, an option a line.
std::string trainCommand(const RunSpec& spec, const std::vector<std::string>& prompts = {});

} // namespace roundpipe::session
