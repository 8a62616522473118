// SPDX-License-Identifier: GPL-3.0-or-later
// state.json of a checkpoint: where the run stood.
#pragma once

#include "base/loss_scale.h"
#include "runs/checkpoint_manifest.h"
#include "runs/run_files.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::runs {

// What a run is trained on, as hashes; each may be empty, which says that it is not known.
struct Fingerprint {
    std::string rows;            // of all examples, as tokens with their masks and in their order
    std::string config;          // of the model's config.json
    std::string weights;         // of the model (arch/weights_fingerprint.h); of random ones none
    std::string validation = {}; // of the validation's examples, as of the others; none: of an older version
    bool operator==(const Fingerprint&) const = default;
};

struct TrainingState {
    int64_t step = 0; // optimizer steps done
    int64_t seed = 0;
    std::optional<double> bestValidationLoss;
    std::optional<LossScale> lossScale = {};     // of a run in fp16, and of one that has skipped steps
    int32_t replicas = 1;                        // of the plan: they decide in which order gradients were added
    int64_t validationsNotLower = 0;             // in a row until now
    std::optional<Fingerprint> fingerprint = {}; // none: of an older version, and without checksums
    std::string run = {}; // drawn as a run begins, so that no two have the same; empty: of an older version
};

void writeTrainingState(const TrainingState& state, const std::filesystem::path& checkpoint); // throws kIo, kNoSpace
// Throws kIo or kInvalidInput naming the file.
TrainingState readTrainingState(const std::filesystem::path& checkpoint);
bool hasTrainingState(const std::filesystem::path& checkpoint);
// Whether an entry of checkpoints/ is one: no draft, and none that was kept aside (kAsideOfOthers).
bool isCheckpoint(const std::filesystem::path& folder);

// A checkpoint of a run that can be gone on from.
struct FoundCheckpoint {
    std::filesystem::path folder;
    TrainingState state;
};

struct CheckpointSearch {
    std::optional<FoundCheckpoint> newest;
    std::vector<std::string> damaged; // those that would have been newer: which, and what is the matter
};

// What a run goes on from: the whole checkpoint with the most steps, of equal ones the last. Looks at every folder
// below checkpoints/ but drafts, and with kBytes reads what it chooses from. None of more steps than `atMost`.
CheckpointSearch newestCheckpoint(const RunFiles& files, LookAt what = LookAt::kSizes,
                                  int64_t atMost = std::numeric_limits<int64_t>::max());
// The names of the checkpoints that are kept beside the last and the best one, oldest first.
std::vector<std::string> earlierCheckpoints(const RunFiles& files);

} // namespace roundpipe::runs
