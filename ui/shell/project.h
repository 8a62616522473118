// What the window has open: a RunSpec and the prompts that are answered before and after.
#pragma once

#include "session/run_spec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roundpipe::ui::shell {

struct Project {
    std::filesystem::path file; // run.json
    session::RunSpec spec;
    std::vector<std::string> prompts; // from data/prompts.json beside it, or prompts.json; none is fine
};

// Reads both files; throws as readRunSpec does, and kInvalidInput for a prompts.json that is no list of strings.
Project openProject(const std::filesystem::path& runFile);

// The spec of a run that starts now: where the output folder is empty, a new folder for this run under
// $XDG_DATA_HOME/roundpipe/runs (~/.local/share if unset), "<project>-<date>-<time>".
session::RunSpec specForNewRun(const Project& project);

} // namespace roundpipe::ui::shell
