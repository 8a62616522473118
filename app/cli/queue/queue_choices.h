// SPDX-License-Identifier: GPL-3.0-or-later
// How the line is trained, as options.
#pragma once

#include "queue/run_queue.h"

#include <CLI/CLI.hpp>

#include <string>

namespace roundpipe::cli {

// By the spellings of queue::WhenDone and queue::AfterError; empty where the option is not given.
void addQueueChoices(CLI::App& app, std::string& whenDone, std::string& afterError);
void printChoices(const queue::QueueChoices& choices); // where they are not as usual
void apply(const std::string& whenDone, const std::string& afterError, queue::QueueChoices& choices); // what was given

} // namespace roundpipe::cli
