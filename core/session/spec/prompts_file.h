// SPDX-License-Identifier: GPL-3.0-or-later
// The prompts of a project, answered before the first step and after the last: a JSON list of texts beside its run
// file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::session {

// Of data/prompts.json beside the run file; of prompts.json right beside it, where people put it by hand. Empty where
// there is neither. Throws kInvalidInput and kIo, naming the file.
std::vector<std::string> readPrompts(const std::filesystem::path& runFile);

// To where they were read from, else to data/prompts.json. A file there that could not be read is kept as
// prompts.broken.json. Throws kIo and kNoSpace.
void writePrompts(const std::vector<std::string>& prompts, const std::filesystem::path& runFile);

} // namespace roundpipe::session
