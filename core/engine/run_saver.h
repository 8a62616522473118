// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves of what it trains: checkpoints on the way and at its end, the adapter or the model.
#pragma once

#include "artifact/checkpoint_folder.h"
#include "engine/run_folder.h"
#include "model/model.h"
#include "optim/adamw.h"
#include "runs/training_state.h"
#include "session/run/status_board.h"
#include "session/spec/run_spec.h"
#include "transfer/host_weight_store.h"

#include <filesystem>
#include <span>

namespace roundpipe::engine {

// What is trained is worth more than a file: on the way, one that can't be written is a warning, said here. The run
// goes on, and what stood there before stays.
void warnOfUnwritten(session::StatusBoard& board, const session::RunSpec& spec, session::RunText text,
                     const Error& error);

// Used by the run's thread only, while no layer is updated.
class RunSaver {
public:
    // All outlive it. Of the weights and the optimizer it reads what the last step has left.
    struct Sources {
        const session::RunSpec& spec;
        RunFolder& folder;
        session::StatusBoard& board;
        const model::Model& model;
        const transfer::HostWeightStore& store;
        optim::AdamW& adamw;
    };
    explicit RunSaver(const Sources& sources) : m_from(sources) {}

    // A checkpoint in place of the one in `folder`, none where the run is to be discarded. False: it could not be
    // written, and a warning says so.
    bool saveOnTheWay(const std::filesystem::path& folder, const runs::TrainingState& state) const;
    // checkpoints/best, where `validationLoss` is below that of `state`, which then has it if it is on the disk.
    void saveIfBest(double validationLoss, runs::TrainingState& state) const;
    // The curves, the last checkpoint, and the adapter or the model: each on its own. Throws kIo and kNoSpace, saying
    // what of the run there is all the same.
    void saveResults(const runs::TrainingState& state) const;

private:
    void saveCheckpoint(const std::filesystem::path& folder, const runs::TrainingState& state) const;
    void exportResult() const;
    Error nothingSaved(const Error& why, int64_t step) const;
    artifact::AdapterSpans<const std::byte> masters() const;
    artifact::AdapterSpans<const std::byte> newestVersion() const;
    artifact::AdapterSpans<const std::byte> versionBefore() const;
    artifact::AdapterOrigin origin() const;
    std::span<const geometry::LayerLayout> layouts() const { return m_from.model.layouts; }

    Sources m_from;
};

} // namespace roundpipe::engine
