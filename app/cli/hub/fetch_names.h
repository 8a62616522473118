// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the Hub where models and data files are named: fetched, and replaced by where they lie.
#pragma once

#include "session/hub.h"
#include "session/spec/run_spec.h"

#include <string>

namespace roundpipe::cli {

// From the Hub or the cache, with a passing line on standard error and Ctrl-C heeded; says there what the name has
// become. Each name is asked for once in a process. Throws what hub::fetch() does.
session::HubFetched fetchName(session::HubKind kind, const std::string& name);

// `path`, or the folder in the cache where it is a model's name ("hf:Qwen/Qwen3-8B").
std::string fetchedModel(const std::string& path);
// The same for data files: a dataset's name stands for the files of its split.
void fetchNamesOf(std::vector<std::string>& files);
// The same for all that a run reads.
void fetchNamesOf(session::RunSpec& spec);

} // namespace roundpipe::cli
