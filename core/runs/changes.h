// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run is another thing now than when its checkpoint was written.
#pragma once

#include "runs/training_state.h"
#include "session/spec/run_spec.h"

#include <string>
#include <vector>

namespace roundpipe::runs {

// All give a sentence for each change, and none for checkpoints of older versions, which do not say what they were
// made with. They throw as readRunSpec.

// That it is another run's, which somebody may have put here: the folder's own (run_names.h) has another name. Empty
// where it is this run's, or nobody can tell.
std::vector<std::string> changedRun(const FoundCheckpoint& checkpoint);
// Settings that decide which tensors are trained, so that those of the checkpoint would not fit: nobody can accept
// that.
std::vector<std::string> changedTensors(const FoundCheckpoint& checkpoint, const session::RunSpec& now);
// Settings that decide what a step computes; where there are some, also those that may decide what rows become, as
// whoever is refused wants to hear of all at once. Other devices, another cut into stages, another name or folder and
// another number of steps are no changes.
std::vector<std::string> changedSettings(const FoundCheckpoint& checkpoint, const session::RunSpec& now);
// The rows, as tokens, and the bytes of the model; with the settings that may be why.
std::vector<std::string> changedContent(const FoundCheckpoint& checkpoint, const session::RunSpec& now,
                                        const Fingerprint& printNow);

} // namespace roundpipe::runs
