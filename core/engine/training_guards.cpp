// SPDX-License-Identifier: GPL-3.0-or-later
// Whether it goes on, and from where.
#include "engine/training.h"

#include "base/error.h"
#include "base/units.h"
#include "device/host_memory.h"
#include "engine/broken_weights.h"

#include <fmt/format.h>

#include <utility>

namespace roundpipe::engine {

using session::RunText;
using session::RunTextCode;

// A save under way may go with the folder, or say that it could not.
void Training::followFolder() {
    if (m_folder.isInPlace()) return;
    m_saver->finishWriting(m_state);
    const std::optional<RunText> moved = m_folder.follow();
    if (!moved) return;
    m_spec.output.folder = m_folder.files().folder.string();
    m_board.warning({*moved});
    try {
        m_trace.goOnIn(m_folder.files().trace());
    } catch (const Error& error) {
        warnOfUnwritten(m_board, m_spec, RunText(RunTextCode::kTraceEndsEarly), error);
    }
}

// The kernel would end the process without a word; this end saves what was learned.
void Training::lookAtMachine() {
    followFolder();
    if (const int64_t slept = m_watch->takeSleptNs(); slept > 0) {
        const RunText text(RunTextCode::kMachineSlept, formatDuration(static_cast<double>(slept) / 1e9), m_state.step);
        m_folder.note(runs::JournalEvent::kRemedy, m_state.step, {}, text.text());
        m_board.warning({text});
    }
    const MemoryState trouble = m_watch->memory();
    if (trouble == MemoryState::kEnough) return;
    if (trouble == MemoryState::kOut)
        throw Error(ErrorKind::kOutOfMemory,
                    fmt::format("The machine's memory is used up: programs do little but wait for it, and {} are left "
                                "after step {}. The run ends before the system ends it.",
                                formatBytes(device::availableHostBytes()), m_state.step),
                    "What it has learned is saved. Close other programs and let it go on, or begin it with fewer or "
                    "shorter microbatches.");
    if (!std::exchange(m_toldOfMemory, true))
        m_board.warning({RunText(RunTextCode::kMemoryShort, formatBytes(device::availableHostBytes()))});
}

bool Training::endsEarly() const {
    const int64_t patience = m_spec.duration.earlyStop;
    return patience > 0 && m_state.validationsNotLower >= patience;
}

// The checkpoint says that it is over; who resumes a run that was killed before its results were there wants them, who
// continues it wants more steps.
void Training::goOnAfterEarlyEnd(bool trainsOn) {
    if (!endsEarly() || m_state.step == m_totalSteps) return;
    const RunTextCode code = trainsOn ? RunTextCode::kTrainsOn : RunTextCode::kEndedEarly;
    const RunText text(code, m_state.step, m_spec.duration.earlyStop);
    if (trainsOn) {
        m_state.validationsNotLower = 0;
        m_folder.note(runs::JournalEvent::kRemedy, m_state.step, {}, text.text());
    }
    m_board.warning({text});
}

void Training::tellOfEarlyEnd() {
    const RunText text(RunTextCode::kEndsEarly, m_state.validationsNotLower, m_state.step,
                       fmt::format("{:.4f}", m_state.bestValidationLoss.value_or(0)),
                       m_folder.files().bestCheckpoint().string());
    m_folder.note(runs::JournalEvent::kRemedy, m_state.step, m_folder.files().bestCheckpoint(), text.text());
    m_board.warning({text});
}

// A run that diverges costs what it takes until somebody looks.
void Training::lookAt(const session::StepMetrics& metrics) {
    const bool isFinite = m_notFinite.empty();
    if (!isFinite) {
        const RunText text(RunTextCode::kStepSkipped, metrics.step, m_notFinite);
        m_folder.note(runs::JournalEvent::kSkipped, metrics.step, {}, text.text());
        m_board.warning({text});
    } else if (metrics.skipped) {
        return; // for its loss scale: it says nothing of the run
    }
    const LossGuard::Trouble trouble = m_lossGuard.add(metrics.loss, isFinite);
    if (trouble == LossGuard::Trouble::kNone) return;
    if (trouble == LossGuard::Trouble::kNotFinite && !m_lossGuard.hasSeenNumbers()) requireWholeWeights();
    if (trouble == LossGuard::Trouble::kSpike)
        m_board.warning(
            {RunText(RunTextCode::kLossSpike, fmt::format("{:.4f}", m_lossGuard.usual()), LossGuard::kInARow)});
    if (m_spec.optimizer.whenDiverging == WhenDiverging::kRollBack) return rollBack();
    if (trouble == LossGuard::Trouble::kNotFinite)
        throw invalidInput(
            fmt::format("The loss or the gradients of {} steps in a row, up to step {}, are not finite (the last in "
                        "{}). Nothing was updated by them.",
                        LossGuard::kInARow, metrics.step, m_notFinite),
            m_store->adapters().operandType() == DType::kF16
                ? "The model has values beyond 65,504, where fp16 ends: train in bf16. Else use a smaller learning "
                  "rate; look at the rows of these steps."
                : "Use a smaller learning rate, or train in bf16; look at the rows of these steps. With "
                  "optimizer.when_diverging at roll-back a run goes on from its last checkpoint.");
}

// Neither another learning rate nor other rows help then.
void Training::requireWholeWeights() const {
    const std::string name = brokenTensor(*m_store);
    if (name.empty()) return;
    throw invalidInput(
        fmt::format("'{}' of the model in '{}' holds values that are no numbers (NaN or infinite), so no "
                    "loss can be one.",
                    name, m_spec.model.path),
        "Compare the model's files with those where it comes from, and copy or download them again.");
}

// Weights and moments go back, the step and with it the rows do not: the same ones would lead to the same end. The
// updates between count as skipped, as moments know nothing of them any more.
void Training::rollBack() {
    constexpr int32_t kMost = 3; // more say that it is not the rows
    m_saver->finishWriting(m_state);
    m_saver->keepCheckpointsOfOthers();
    // What the first of these steps read may be what is wrong, so the step before it must have read something else.
    const int64_t lastGood = m_state.step - LossGuard::kInARow - 1;
    const auto found = runs::newestCheckpoint(m_folder.files(), runs::LookAt::kBytes, lastGood).newest;
    if (!found || m_rollBacks == kMost)
        throw invalidInput(fmt::format("The run diverged up to step {}, and {}.", m_state.step,
                                       found ? "did so again after it had gone back three times"
                                             : "there is no checkpoint of before to go back to"),
                           "Use a smaller learning rate; look at the rows of these steps.");
    ++m_rollBacks;
    m_underWay.reset();
    m_pipeline.reset();
    readWeights(found->folder);
    LossScale scale = m_state.lossScale.value_or(LossScale());
    const int64_t skippedBefore = found->state.lossScale ? found->state.lossScale->skippedSteps : 0;
    scale.skippedSteps = skippedBefore + m_state.step - found->state.step;
    m_state.lossScale = scale;
    m_lossGuard.forget();
    m_feeder.emplace(*m_batcher, m_state.step, m_totalSteps);
    const RunText text(RunTextCode::kRolledBack, m_state.step, found->state.step);
    m_folder.note(runs::JournalEvent::kRemedy, m_state.step, found->folder, text.text());
    m_board.warning({text});
}

} // namespace roundpipe::engine
