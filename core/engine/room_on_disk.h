// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the disk has room for what a run writes: asked before a run, and by it before each checkpoint.
#pragma once

#include "model/model.h"
#include "runs/model_files.h"
#include "runs/run_files.h"
#include "session/run_text.h"
#include "session/spec/run_spec.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace roundpipe::engine {

// For a folder that may not be there yet; as much as can be where the system does not say.
int64_t freeBytes(const std::filesystem::path& folder);

// How much the tensors of one of the run's checkpoints take.
int64_t checkpointBytes(const session::RunSpec& spec, const model::Model& model);

// That a checkpoint of so many bytes has no room there.
session::RunText checkpointTooLarge(int64_t bytes, const std::filesystem::path& folder);
// In words for a warning, where the disk has less free than a run writes at least: its own small files,
// checkpoints and its result; none where there is room.
std::vector<session::RunText> littleRoomFor(const session::RunSpec& spec, const model::Model& model,
                                            const runs::ModelFiles& files, bool goesOn,
                                            const std::filesystem::path& folder);

// Throws kIo or kNoSpace, as the run does, where not even its first file can be written. The folder may not be there
// yet, and nothing changes.
void requireRoomToBegin(const runs::RunFiles& files);

} // namespace roundpipe::engine
