// SPDX-License-Identifier: GPL-3.0-or-later
// sample-prompts.json: the prompts that a run was given. Its answers come later, if it lives so long.
#pragma once

#include "runs/run_files.h"

#include <string>
#include <vector>

namespace roundpipe::runs {

// None: the file goes. Throws kIo and kNoSpace.
void writeSamplePrompts(const std::vector<std::string>& prompts, const RunFiles& files);

// Those that it was given last, and what else it was asked. Throws kInvalidInput and kIo where a file can't be read.
std::vector<std::string> samplePromptsOf(const RunFiles& files);

} // namespace roundpipe::runs
