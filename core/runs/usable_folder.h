// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run may have a folder: nothing of a person's lies where it would write, no other run has it, and one that
// goes on finds what it goes on from.
#pragma once

#include "runs/run_files.h"
#include "runs/training_state.h"

#include <filesystem>

namespace roundpipe::runs {

// The files of a run in this folder, which may not be there yet. Throws kIo, also where they could not be read or
// written, and kInvalidInput for what is no folder
// for a run, holds links in their places, or holds no run where one is to go on.
RunFiles filesForRun(const std::filesystem::path& folder, bool resume);

// What a run goes on from, in a folder that is there; nothing where it begins. Reads all of the checkpoint. Throws
// kInvalidInput where it holds another run's results, or files of others, and where it holds nothing whole to go on
// from.
CheckpointSearch startIn(const RunFiles& files, bool resume);

// Both, for whoever asks before a run; nothing changes there. Throws, too, where a run is under way there, and where
// the folder could not be made or written to.
CheckpointSearch requireUsable(const std::filesystem::path& folder, bool resume);

} // namespace roundpipe::runs
