// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves of what it trains: checkpoints on the way and at its end, the adapter or the model.
#pragma once

#include "artifact/checkpoint_folder.h"
#include "base/error.h"
#include "base/zero_pages.h"
#include "engine/fingerprinting.h"
#include "engine/own_checkpoints.h"
#include "engine/run_folder.h"
#include "model/model.h"
#include "optim/adamw.h"
#include "optim/still_layers.h"
#include "runs/model_files.h"
#include "runs/training_state.h"
#include "session/run/status_board.h"
#include "session/spec/run_spec.h"
#include "transfer/host_weight_store.h"

#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <span>
#include <string>

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
        const session::RunSpec& spec; // as it stands when a checkpoint is written
        const runs::ModelFiles& modelFiles;
        RunFolder& folder;
        session::StatusBoard& board;
        const model::Model& model;
        const transfer::HostWeightStore& store;
        optim::AdamW& adamw;
        optim::StillLayers& still;                  // of it; what updates
        std::optional<Fingerprinting>& fingerprint; // there when the first checkpoint is written
    };
    explicit RunSaver(const Sources& sources);
    ~RunSaver(); // waits for what is being written

    // Whether output.save_every_minutes have passed since the last checkpoint was begun, or the folder was moved while
    // that was written. Where saving holds up training for long it waits longer, so that it never takes more than a
    // twentieth of the time.
    bool isDue() const;
    // The last checkpoint, in place of the one before, written by a thread while training goes on: adapters are copied
    // now, weights as their layers are updated. Where these would take more than half of the memory that is free, they
    // are written before it returns. One that can't be written is a warning, now or later. None where the run is to be
    // discarded.
    void saveLast(runs::TrainingState& state);
    // checkpoints/best, where `validationLoss` is below that of `state`, which then has it, and a count of
    // validations that begins anew. True if it was.
    bool saveIfBest(double validationLoss, runs::TrainingState& state);
    // Waits for what is being written. Where that was the best checkpoint and failed, `state` has the loss of the one
    // that stands there.
    void finishWriting(runs::TrainingState& state);
    // The curves, the last checkpoint, and the adapter or the model: each on its own. Throws kIo and kNoSpace, saying
    // what of the run there is all the same.
    void saveResults(runs::TrainingState& state);
    // Of a run that fails: what it has trained since its last checkpoint. Throws nothing.
    void saveOnFailure(runs::TrainingState& state);
    // Renames checkpoints that others have put in the place of the run's own, and says so: it never goes back to one.
    void keepCheckpointsOfOthers() const;
    // A warning where the disk has no room for what the run writes at least.
    void warnOfLittleRoom() const;

private:
    struct Failures {
        std::string why;
        uint64_t inARow = 0;
    };
    bool isToBeTold(const std::filesystem::path& folder, const Error& failure);
    void begin(const std::filesystem::path& folder, runs::TrainingState& state);
    void saveNow(const runs::TrainingState& state);
    runs::TrainingState ofThisRun(runs::TrainingState state) const;
    std::filesystem::path placeOfOld(const std::filesystem::path& folder, int64_t step) const;
    void write(const std::filesystem::path& folder, const runs::TrainingState& state,
               const artifact::CheckpointBlocks& blocks, const std::string& runSpec);
    bool writeOnTheWay(const std::filesystem::path& folder, const runs::TrainingState& state,
                       const artifact::CheckpointBlocks& blocks, const std::string& runSpec);
    void makeRoom(int64_t bytes) const;
    void warnOfUnwritten(const std::filesystem::path& checkpoint, int64_t step, int64_t bytes,
                         const Error& failure) const;
    void giveUp(const std::filesystem::path& folder, const std::filesystem::path& nameAside) const;
    void clearDraft(const std::filesystem::path& target) const;    // what is in the way of one
    void clearReplaced(const std::filesystem::path& target) const; // what stood there before
    void keepOfOthers(const std::filesystem::path& checkpoint, const std::filesystem::path& nameAside) const;
    void removeAside(const std::filesystem::path& checkpoint) const;
    void removeEarlier(int64_t keep) const;
    artifact::CheckpointBlocks blocks() const;
    artifact::CheckpointBlocks copied(const artifact::CheckpointBlocks& blocks);
    artifact::CheckpointBlocks held(artifact::CheckpointBlocks blocks) const;
    std::optional<artifact::CheckpointBlocks> unchanging(const artifact::CheckpointBlocks& blocks);
    void exportResult(const runs::TrainingState& state);                    // with its fingerprint
    std::optional<Error> failureOfResult(const runs::TrainingState& state); // "
    // What is said at the end, where not all could be written.
    static Error resultIsToCome(const Error& why, int64_t step, const std::filesystem::path& checkpoint);
    Error nothingSaved(const Error& why, int64_t step) const;
    Error onlyResultSaved(const Error& why, int64_t step) const;
    Error onlyCurvesLack(const Error& why, int64_t step) const;
    std::filesystem::path resultFolder(const runs::RunFiles& files) const; // the adapter's or the model's
    artifact::AdapterSpans<const std::byte> masters() const;
    artifact::AdapterSpans<const std::byte> newestVersion() const;
    artifact::AdapterSpans<const std::byte> versionBefore() const;
    artifact::AdapterOrigin origin(const runs::TrainingState& state) const; // with its fingerprint
    std::filesystem::path modelFolder() const;                              // whose config and tokenizer are copied
    std::span<const geometry::LayerLayout> layouts() const { return m_from.model.layouts; }

    Sources m_from;
    OwnCheckpoints m_own;
    int64_t m_begunNs;       // when the newest checkpoint was
    int64_t m_heldUpNs = 0;  // by it, of training
    int64_t m_savedStep;     // of the newest one that was written, or that the run goes on from
    ZeroPages m_copy;        // of what a thread writes
    int64_t m_copyBytes = 0; // of it
    int64_t m_writingStep = 0;
    bool m_isOwed = false;                                // that checkpoint: its folder went away under it
    std::map<std::filesystem::path, Failures> m_failures; // of checkpoints that could not be written there
    std::optional<std::optional<double>> m_bestBefore;    // of the best checkpoint, while that is written
    std::future<bool> m_writing; // whether a checkpoint was written; last: its thread uses the rest
};

} // namespace roundpipe::engine
