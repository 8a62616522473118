// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run reads its model: in the folder that its settings name, or in its own checkpoint.
#pragma once

#include "runs/training_state.h"
#include "session/spec/run_spec.h"

#include <filesystem>
#include <optional>
#include <string>

namespace roundpipe::runs {

struct ModelFiles {
    std::string folder;
    std::string chatTemplate;  // file used instead of the folder's; empty: none
    bool ofCheckpoint = false; // what the settings name is gone
};

// A checkpoint of all weights is a model folder: a run that goes on from one needs no other, where that is gone or has
// lost its weights.
ModelFiles modelFilesOf(const session::RunSpec& spec, const std::filesystem::path& checkpoint); // empty: begins
ModelFiles modelFilesOf(const session::RunSpec& spec, const std::optional<FoundCheckpoint>& checkpoint);

} // namespace roundpipe::runs
