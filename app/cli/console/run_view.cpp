// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/run_view.h"

#include "exit_codes.h"

#include <cstdio>

namespace roundpipe::cli {

using session::RunEvent;
using session::RunState;

void RunView::show(const std::vector<RunEvent>& events, const session::Snapshot& snapshot) {
    if (snapshot.state == RunState::kPreparing || snapshot.state == RunState::kEvaluating ||
        snapshot.state == RunState::kAnswering)
        m_progress.activity(session::textOf(snapshot.activities));
    for (const RunEvent& event : events)
        show(event, snapshot);
}

void RunView::show(const RunEvent& event, const session::Snapshot& snapshot) {
    switch (event.kind) {
    case RunEvent::Kind::kPlanReady:
        m_progress.plan(*event.plan);
        break;
    case RunEvent::Kind::kStepDone:
        m_progress.step(event.metrics, snapshot);
        break;
    case RunEvent::Kind::kValidated:
        m_progress.message("validation loss " + std::to_string(event.validationLoss));
        break;
    case RunEvent::Kind::kCheckpointSaved:
        m_progress.message("saved " + event.text);
        break;
    case RunEvent::Kind::kSampleReady:
        m_progress.message((event.tuned ? "tuned  | " : "base   | ") + event.prompt + "\n       > " + event.text);
        break;
    case RunEvent::Kind::kWarning:
        m_progress.warning(event.text);
        break;
    case RunEvent::Kind::kError:
        std::fprintf(stderr, "error: %s\n%s%s", event.text.c_str(), event.advice.c_str(),
                     event.advice.empty() ? "" : "\n");
        m_failure = exitCodeOf(event.errorKind);
        break;
    case RunEvent::Kind::kStateChanged:
        if (event.state == RunState::kPaused) m_progress.message("paused");
        break;
    }
}

int RunView::end(RunState state) {
    if (m_failure) return *m_failure;
    m_progress.message(state == RunState::kFinished ? "finished" : "stopped");
    return state == RunState::kFinished ? kSuccess : kStopped;
}

} // namespace roundpipe::cli
