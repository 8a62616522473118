// SPDX-License-Identifier: GPL-3.0-or-later
// Which stored run is a project's: who opens a project again wants to see what came of it.
#pragma once

#include "runs/stored_run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::runs {

// The folder of the newest run that was made of a project; nothing: there is none among `latestFirst`, as
// RunLibrary::list() gives them. A run of the project is one in the folder of its own file (`projectFolder`) or in the
// one that its spec names; else one of its name with its model or its rows, whichever of them was changed since. A
// project that is stored nowhere yet (its folder is empty) has none. What can't be read is passed over.
std::optional<std::filesystem::path> newestRunOf(const session::RunSpec& project, const std::string& projectName,
                                                 const std::filesystem::path& projectFolder,
                                                 const std::vector<StoredRun>& latestFirst);

} // namespace roundpipe::runs
