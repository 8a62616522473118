#include "engine/run.h"

#include "engine/training.h"

#include "base/log.h"

namespace roundpipe::engine {

using session::RunState;

RunState run(const session::RunJob& job, session::StatusBoard& board, trace::Recorder& recorder, RunTrace& trace) {
    const session::RunSpec spec = resolved(job.spec);
    const RunFolder folder(spec.output.folder, job.resume);
    log::openFile(folder.path() / "run.log");
    Training training(spec, folder, board, recorder, trace);
    training.prepare(job.resume);
    board.throwIfStopRequested();
    folder.writeSpec(spec);
    training.answerSamples(job.samplePrompts, false);
    board.throwIfStopRequested();
    board.setState(RunState::kTraining);
    const bool finished = training.train();
    if (board.discardRequested()) return RunState::kStopped;
    board.setState(RunState::kSaving);
    training.exportAdapter();
    if (finished) training.answerSamples(job.samplePrompts, true);
    board.setState(RunState::kSaving);
    if (spec.output.saveTrace) training.saveTrace();
    return finished ? RunState::kFinished : RunState::kStopped;
}

} // namespace roundpipe::engine
