#include "session/engine.h"

namespace roundpipe::session {

const char* toString(RunState state) {
    switch (state) {
    case RunState::kIdle:
        return "idle";
    case RunState::kPreparing:
        return "preparing";
    case RunState::kTraining:
        return "training";
    case RunState::kEvaluating:
        return "evaluating";
    case RunState::kSaving:
        return "saving";
    case RunState::kStopping:
        return "stopping";
    case RunState::kFinished:
        return "finished";
    case RunState::kStopped:
        return "stopped";
    case RunState::kFailed:
        return "failed";
    }
    return "idle";
}

} // namespace roundpipe::session
