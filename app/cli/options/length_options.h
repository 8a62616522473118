// SPDX-License-Identifier: GPL-3.0-or-later
// What `plan` and `profile` are told of the lengths of examples that nobody has read.
#pragma once

#include "session/spec/run_shape.h"

#include <CLI/CLI.hpp>

#include <array>

namespace roundpipe::cli {

// --average-length and --trained-share. `lengths` must outlive `app`.
std::array<CLI::Option*, 2> addLengthOptions(CLI::App& app, session::RunLengths& lengths);

} // namespace roundpipe::cli
