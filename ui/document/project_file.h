// SPDX-License-Identifier: GPL-3.0-or-later
// A project on disk: a run file, and beside it the prompts that are answered before and after.
#pragma once

#include "session/spec/run_spec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::ui::document {

struct Project {
    session::RunSpec spec;
    std::vector<std::string> prompts;
};

struct ReadProject {
    Project project;
    std::string promptsProblem; // why the prompts could not be read; the project is usable all the same
};

// Throws kInvalidInput or kIo for the run file only: a project whose prompts are broken opens without them.
ReadProject readProject(const std::filesystem::path& runFile);

// Throws kIo and kNoSpace. Makes the folder. A prompts file that could not be read is kept as prompts.broken.json,
// or as one like it that is free.
void writeProject(const Project& project, const std::filesystem::path& runFile, bool writesPrompts);

// The run file's text; empty where there is none that can be read.
std::string textOnDisk(const std::filesystem::path& runFile);
// Where the text that somebody else wrote into the run file is kept before it is written over: "run.other.json",
// or one like it that is free.
std::filesystem::path placeOfOther(const std::filesystem::path& runFile);

} // namespace roundpipe::ui::document
