// SPDX-License-Identifier: GPL-3.0-or-later
// The options by which the tokens of an answer are chosen, made from the table of session/answering.h.
#pragma once

#include "session/answering.h"

#include <CLI/CLI.hpp>

namespace roundpipe::cli {

// One option for each of samplingFields(), and --stop. `options` keeps what is not given and must outlive `app`.
void addSampling(CLI::App& app, session::SamplingOptions& options);

} // namespace roundpipe::cli
