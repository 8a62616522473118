// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes what a run is trained on, in threads of its own while it is prepared and takes its first steps.
#pragma once

#include "data/store/dataset.h"
#include "runs/model_files.h"
#include "runs/training_state.h"
#include "session/spec/run_spec.h"

#include <atomic>
#include <future>
#include <optional>

namespace roundpipe::engine {

// Where a checkpoint stands in for a model that is gone, the model's part is what it was: `before`.

// What can be told at once: hashes the rows, and knows the weights only where they were read since anybody touched
// them. Throws kIo, and as arch::keptFingerprintOfWeights().
runs::Fingerprint quickFingerprint(const session::RunSpec& spec, const runs::ModelFiles& model,
                                   const std::optional<runs::FoundCheckpoint>& before, const data::Dataset& dataset);

// Used by one thread.
class Fingerprinting {
public:
    // `dataset` outlives it.
    Fingerprinting(const session::RunSpec& spec, const runs::ModelFiles& model,
                   const std::optional<runs::FoundCheckpoint>& before, const data::Dataset& dataset);
    ~Fingerprinting(); // ends what is under way, and waits for it
    Fingerprinting(const Fingerprinting&) = delete;
    Fingerprinting& operator=(const Fingerprinting&) = delete;

    const runs::Fingerprint& get(); // waits. Throws kIo where a file can't be read any more

private:
    std::atomic<bool> m_cancelled{false};
    runs::Fingerprint m_print;
    std::future<void> m_rows, m_model; // last: their threads use the rest
};

} // namespace roundpipe::engine
