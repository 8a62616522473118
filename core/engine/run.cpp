// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run.h"

#include "base/error.h"
#include "base/log.h"
#include "base/secrets.h"
#include "device/device_hung.h"
#include "engine/training.h"
#include "runs/sample_prompts.h"

#include <memory>
#include <utility>

namespace roundpipe::engine {

using session::RunState;
using session::RunText;
using session::RunTextCode;

namespace {

void tellOfKept(RunFolder& folder, session::StatusBoard& board) {
    for (RunText& kept : folder.takeKeptAside())
        board.warning({std::move(kept)});
}

// So that they are asked though the run is killed before its first answer. What is trained is worth more.
void keepPrompts(const RunFolder& folder, const session::RunJob& job) {
    if (job.resume && job.samplePrompts.empty()) return;
    try {
        runs::writeSamplePrompts(job.samplePrompts, folder.files());
    } catch (const Error& error) {
        log::warning(error.message());
    }
}

RunState trainIn(Training& training, RunFolder& folder, const session::RunSpec& spec, const session::RunJob& job,
                 session::StatusBoard& board, RunTrace& trace) {
    training.prepare(job.acceptsChanges, job.trainsOn);
    tellOfKept(folder, board);
    board.throwIfStopRequested();
    if (const auto kept = folder.writeSpec(training.spec())) board.warning({*kept});
    keepPrompts(folder, job);
    training.answerSamples(job.samplePrompts, false);
    board.throwIfStopRequested();
    board.setState(RunState::kTraining);
    const bool finished = training.train();
    if (board.discardRequested()) {
        trace.discardFile();
        return RunState::kStopped;
    }
    board.setState(RunState::kSaving);
    training.saveResults();
    if (finished) training.answerSamples(job.samplePrompts, true);
    board.setState(RunState::kSaving);
    training.carryOutCommands(); // that came after the last step
    if (spec.output.saveTrace) training.saveTrace();
    return finished ? RunState::kFinished : RunState::kStopped;
}

RunState runIn(RunFolder& folder, const session::RunSpec& spec, const session::RunJob& job, session::StatusBoard& board,
               trace::Recorder& recorder, RunTrace& trace, const device::OnSpan& onSpan) {
    auto owned = std::make_unique<Training>(spec, folder, board, recorder, trace, onSpan);
    try {
        return trainIn(*owned, folder, spec, job, board, trace);
    } catch (const device::DeviceHung&) {
        owned->saveOnFailure(true);
        if (owned->hangs()) static_cast<void>(owned.release());
        throw;
    } catch (const std::exception&) {
        owned->saveOnFailure(false);
        throw;
    }
}

// Writes down why a run ends. Where the disk refuses even that, the run's own error says more.
void writeDown(RunFolder& folder, const Error& error) {
    try {
        if (error.kind() == ErrorKind::kCancelled)
            folder.ended(RunState::kStopped);
        else
            folder.failed(error.message(), error.advice());
    } catch (const Error& alsoFailed) {
        log::warning(alsoFailed.what());
    }
}

} // namespace

RunState run(const session::RunJob& job, session::StatusBoard& board, trace::Recorder& recorder, RunTrace& trace,
             const device::OnSpan& onSpan) {
    session::RunSpec spec = resolved(job.spec, job.resume);
    spec.name = withoutSecrets(std::move(spec.name)); // of a run that goes on: older versions took one with a secret
    log::closeFile();                                 // another run's
    RunFolder folder(spec.output.folder, job.resume);
    if (folder.resumesFrom()) keepMicrobatches(*folder.resumesFrom(), spec);
    if (folder.startsOver()) board.warning({RunText(RunTextCode::kStartsOver)});
    tellOfKept(folder, board);
    for (const std::string& damage : folder.damaged())
        board.warning({RunText(RunTextCode::kCheckpointPassedOver, damage)});
    if (folder.hasBegun()) { // so that it can be begun again, whatever ends it now
        if (const auto kept = folder.writeSpec(spec)) board.warning({*kept});
        keepPrompts(folder, job);
    }
    try {
        const RunState end = runIn(folder, spec, job, board, recorder, trace, onSpan);
        folder.ended(end);
        return end;
    } catch (const Error& error) {
        writeDown(folder, error);
        throw;
    } catch (const std::exception& error) {
        writeDown(folder, {ErrorKind::kInternal, error.what()});
        throw;
    }
}

} // namespace roundpipe::engine
