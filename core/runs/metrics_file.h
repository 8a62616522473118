// SPDX-License-Identifier: GPL-3.0-or-later
// metrics.jsonl: a line for each step of a run.
#pragma once

#include "session/engine.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::runs {

// {"step": 1, "loss": …} and a line feed: stable keys, null for what was not taken or is no number.
std::string toJsonLine(const session::StepMetrics& metrics);

// In the order of the file; empty where there is none. Throws as forEachLine().
std::vector<session::StepMetrics> readMetrics(const std::filesystem::path& file);

} // namespace roundpipe::runs
