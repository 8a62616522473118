#include "engine/run.h"

#include "engine/training.h"

#include "base/log.h"

namespace roundpipe::engine {

using session::RunState;

RunState run(const RunJob& job, StatusBoard& board, trace::Recorder& recorder, RunTrace& trace) {
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
    board.setState(finished ? RunState::kSaving : RunState::kStopping);
    training.exportAdapter();
    if (finished) training.answerSamples(job.samplePrompts, true);
    if (spec.output.saveTrace) training.saveTrace();
    return finished ? RunState::kFinished : RunState::kStopped;
}

} // namespace roundpipe::engine
