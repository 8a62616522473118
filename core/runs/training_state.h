// SPDX-License-Identifier: GPL-3.0-or-later
// state.json of a checkpoint: where the run stood.
#pragma once

#include "base/loss_scale.h"
#include "runs/run_files.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace roundpipe::runs {

struct TrainingState {
    int64_t step = 0; // optimizer steps done
    int64_t seed = 0;
    std::optional<double> bestValidationLoss;
    std::optional<LossScale> lossScale = {}; // of a run in fp16
    int32_t replicas = 1;                    // of the plan: they decide in which order gradients were added
};

void writeTrainingState(const TrainingState& state, const std::filesystem::path& checkpoint); // throws kIo, kNoSpace
// Throws kIo or kInvalidInput naming the file.
TrainingState readTrainingState(const std::filesystem::path& checkpoint);
bool hasTrainingState(const std::filesystem::path& checkpoint);

// What a run goes on from: its last checkpoint, else its best one, which a run that was killed may have alone. There
// may be none.
std::filesystem::path checkpointToResumeFrom(const RunFiles& files);

} // namespace roundpipe::runs
