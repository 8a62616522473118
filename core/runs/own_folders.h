// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a folder holds nothing but what a run writes: what a person put there is never removed.
#pragma once

#include "runs/run_files.h"

#include <filesystem>
#include <vector>

namespace roundpipe::runs {

// Whether it is a folder of files that checkpoints, adapters and models consist of, by their names, whole or half
// written; an empty one is, a link is not.
bool holdsOnlyOwnFiles(const std::filesystem::path& folder);

// What stands where a run may remove or replace something on its way: earlier checkpoints, drafts, and what drafts have
// replaced.
std::vector<std::filesystem::path> replaceableFolders(const RunFiles& files);

// What in the folder of a run no run has made, and nothing that belongs to it: a person's. Relative to the folder,
// sorted; of a folder that is none of a run's, the folder alone. By names, as above.
std::vector<std::filesystem::path> foreignEntries(const RunFiles& files);

} // namespace roundpipe::runs
