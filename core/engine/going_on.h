// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run goes on from a checkpoint as it began, by its settings: what its rows and its model's files are, only
// reading them shows (runs/changes.h).
#pragma once

#include "base/error.h"
#include "runs/training_state.h"
#include "session/spec/run_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::engine {

// Throws kInvalidInput where what was trained would not fit: another method, other tensors. Nobody can accept that.
void requireSameTensors(const runs::FoundCheckpoint& checkpoint, const session::RunSpec& spec);

// A sentence for each change that somebody may accept.
std::vector<std::string> acceptableChanges(const runs::FoundCheckpoint& checkpoint, const session::RunSpec& spec);

// Throws kInvalidInput where so many steps are done, and the run is to have fewer.
void requireSteps(int64_t done, int64_t total);

// What whoever accepts none is told.
Error notAsItBegan(const std::vector<std::string>& changes);

} // namespace roundpipe::engine
