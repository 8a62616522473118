// SPDX-License-Identifier: GPL-3.0-or-later
// An option that names a file to be written: one that exists is replaced only where --force says so, whoever wrote it.
#pragma once

#include "base/file.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>

namespace roundpipe::cli {

// Refuses an empty name, as an unset variable of a script leaves behind: nothing would be written, and nobody told.
// `path` must outlive `app`.
CLI::Option* addOutput(CLI::App& app, const std::string& name, std::string& path, const std::string& help);

// Of a file, with one --force for all of `app`. What may not be replaced is refused with the options, not after all of
// the work.
CLI::Option* addOutputFile(CLI::App& app, const std::string& name, Destination& file, const std::string& help);

// Throws kInvalidInput where something stands at `path`, but for a file with --force of `app`. Without it, nothing that
// comes there until it is written may be replaced, either.
Destination freePlace(const CLI::App& app, const std::filesystem::path& path);

} // namespace roundpipe::cli
