// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a folder holds nothing but what a run writes: what a person put there is never removed.
#pragma once

#include "runs/run_files.h"

#include <filesystem>
#include <vector>

namespace roundpipe::runs {

// Whether it is a folder of files that checkpoints, adapters and models consist of, whole or half written: as the
// manifest says that lies there, by their names where there is none. An empty one is, a link is not.
bool holdsOnlyOwnFiles(const std::filesystem::path& folder);

// An empty folder there; one that holds only own files gives way. Throws kIo, for another one, too.
void makeFolderAnew(const std::filesystem::path& folder);

// What stands where a run may remove or replace something on its way: earlier checkpoints, drafts, and what drafts have
// replaced.
std::vector<std::filesystem::path> replaceableFolders(const RunFiles& files);

// What in the folder of a run no run has made, and nothing that belongs to it: a person's. Relative to the folder,
// sorted; of a folder that is none of a run's, the folder alone. By names, as above, and of exports by their lists.
// `within`: only what lies in that folder of the run's.
std::vector<std::filesystem::path> foreignEntries(const RunFiles& files, const std::filesystem::path& within = {});
// What is said of such a one, as %1, to whoever is about to delete it.
inline constexpr const char* kGoesToo = "%1, which no run has made, goes with it: move it elsewhere to keep it";

} // namespace roundpipe::runs
