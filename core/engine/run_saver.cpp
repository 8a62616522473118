// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run_saver.h"

#include "artifact/adapter.h"
#include "artifact/model_folder.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace roundpipe::engine {

using session::RunText;
using session::RunTextCode;

namespace {

// Nothing where `write` succeeds; what is not the disk's fault is thrown.
template <class Write>
std::optional<Error> failureOf(const Write& write) {
    try {
        write();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kNoSpace && error.kind() != ErrorKind::kIo) throw;
        return error;
    }
    return std::nullopt;
}

// Of a checkpoint; nothing where there is none.
std::optional<int64_t> stepOf(const std::filesystem::path& checkpoint) {
    try {
        return runs::readTrainingState(checkpoint).step;
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

void warnOfUnwritten(session::StatusBoard& board, const session::RunSpec& spec, RunText text, const Error& error) {
    log::info(text.text() + " " + error.message()); // for the run's log; who watches the run hears it as an event
    board.warning({std::move(text), error.kind() == ErrorKind::kNoSpace
                                        ? RunText(RunTextCode::kDiskFull, spec.output.folder)
                                        : RunText(RunTextCode::kAsSaid, error.message())});
}

artifact::AdapterSpans<const std::byte> RunSaver::masters() const {
    artifact::AdapterSpans<const std::byte> blocks{m_from.store.adapters().masterType(), {}};
    for (const geometry::LayerLayout& layout : layouts())
        blocks.layers.push_back(m_from.store.adapters().masters(layout.spec.id));
    return blocks;
}

artifact::AdapterSpans<const std::byte> RunSaver::newestVersion() const {
    artifact::AdapterSpans<const std::byte> blocks{m_from.store.adapters().operandType(), {}};
    for (const geometry::LayerLayout& layout : layouts())
        blocks.layers.push_back(m_from.store.adapters().newest(layout.spec.id));
    return blocks;
}

artifact::AdapterSpans<const std::byte> RunSaver::versionBefore() const {
    artifact::AdapterSpans<const std::byte> blocks{m_from.store.adapters().operandType(), {}};
    for (const geometry::LayerLayout& layout : layouts())
        blocks.layers.push_back(m_from.store.adapters().versionBefore(layout.spec.id));
    return blocks;
}

artifact::AdapterOrigin RunSaver::origin() const {
    return {m_from.spec.model.path, m_from.spec.model.chatTemplate, m_from.spec.model.baseModelId,
            m_from.spec.model.baseModelRevision};
}

void RunSaver::saveCheckpoint(const std::filesystem::path& folder, const runs::TrainingState& state) const {
    if (m_from.board.discardRequested()) return;
    artifact::CheckpointBlocks blocks{masters(), {m_from.adamw.momentType(), {}}, {m_from.adamw.momentType(), {}}};
    for (const geometry::LayerLayout& layout : layouts()) {
        blocks.firstMoments.layers.push_back(m_from.adamw.firstMoment(layout.spec.id));
        blocks.secondMoments.layers.push_back(m_from.adamw.secondMoment(layout.spec.id));
    }
    if (m_from.spec.optimizer.updates == Updates::kOneStepStale) blocks.versionBefore = versionBefore();
    artifact::writeCheckpoint(folder, layouts(), m_from.model.trained.lora, blocks, origin(), state);
    m_from.board.checkpointSaved(folder.string());
}

bool RunSaver::saveOnTheWay(const std::filesystem::path& folder, const runs::TrainingState& state) const {
    const std::optional<Error> failure = failureOf([&] { saveCheckpoint(folder, state); });
    if (!failure) return true;
    std::error_code ignored;
    const bool staysThere = std::filesystem::exists(folder, ignored);
    warnOfUnwritten(m_from.board, m_from.spec,
                    RunText(staysThere ? RunTextCode::kCheckpointNotRenewed : RunTextCode::kCheckpointNotWritten,
                            folder.string(), state.step),
                    *failure);
    return false;
}

void RunSaver::saveIfBest(double validationLoss, runs::TrainingState& state) const {
    const std::optional<double> before = state.bestValidationLoss;
    if (before && !(validationLoss < *before)) return; // nor where it is no number
    state.bestValidationLoss = validationLoss;
    if (!saveOnTheWay(m_from.folder.files().bestCheckpoint(), state))
        state.bestValidationLoss = before; // as it is on the disk
}

// Each on its own: the adapter is smaller than the checkpoint, and the curves than both.
void RunSaver::saveResults(const runs::TrainingState& state) const {
    const std::optional<Error> curves = failureOf([this] { m_from.folder.writeMetrics(); });
    const std::optional<Error> checkpoint =
        failureOf([&] { saveCheckpoint(m_from.folder.files().lastCheckpoint(), state); });
    const std::optional<Error> adapter = failureOf([this] { exportResult(); });
    if (checkpoint && adapter) throw nothingSaved(*adapter, state.step);
    for (const std::optional<Error>& failure : {checkpoint, adapter, curves})
        if (failure) throw Error(*failure);
}

// Says what of the run there is all the same.
Error RunSaver::nothingSaved(const Error& why, int64_t step) const {
    const std::string where = m_from.spec.output.folder;
    for (const std::filesystem::path& earlier :
         {m_from.folder.files().lastCheckpoint(), m_from.folder.files().bestCheckpoint()})
        if (const auto saved = stepOf(earlier))
            return {why.kind(),
                    fmt::format("After step {} neither the checkpoint nor the adapter could be written to '{}'. {} "
                                "What was saved after step {} stays in '{}'; what was trained since is lost.",
                                step, where, why.message(), *saved, earlier.string()),
                    earlier == m_from.folder.files().lastCheckpoint()
                        ? "Make room there, then continue the run from that checkpoint."
                        : "That folder holds an adapter that can be used. Make room, and train again for the rest."};
    return {why.kind(),
            fmt::format("Nothing of this run was kept: after step {} neither the checkpoint nor the adapter could be "
                        "written to '{}'. {}",
                        step, where, why.message()),
            "Make room there, or choose another folder for the run, and train again. With output.save_every_steps a "
            "run keeps checkpoints on the way."};
}

void RunSaver::exportResult() const {
    m_from.board.setActivities({session::Activity(session::ActivityCode::kWritingResult)});
    const runs::RunFiles& files = m_from.folder.files();
    const std::filesystem::path target = m_from.model.trained.base ? files.model() : files.adapter();
    const std::filesystem::path draft = target.string() + ".part";
    std::error_code failed;
    std::filesystem::remove_all(draft, failed);
    std::filesystem::create_directories(draft, failed);
    if (failed) throw ioError("make the folder", draft, failed.value());
    try {
        if (m_from.model.trained.base)
            artifact::writeModel(draft, layouts(), newestVersion(), origin());
        else
            artifact::writeAdapter(draft, layouts(), m_from.model.trained.lora, masters(), origin());
    } catch (const Error&) {
        std::filesystem::remove_all(draft, failed); // half of it helps nobody and takes the room of others
        throw;
    }
    replaceFolder(draft, target);
    m_from.board.checkpointSaved(target.string());
}

} // namespace roundpipe::engine
