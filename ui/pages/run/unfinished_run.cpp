// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/unfinished_run.h"

#include "runs/stored_run.h"
#include "ui/pages/contract/continue_question.h"
#include "ui/pages/contract/watch_run.h"

namespace roundpipe::ui::pages {

UnfinishedRun::UnfinishedRun(const Services& services, const charts::RunHistory& history, QObject* parent)
    : QObject(parent), m_services(services), m_history(history) {
    const bridge::RunLibraryController& library = services.runLibrary;
    connect(&services.document, &document::Document::opened, this, [this] {
        m_ofProject.clear();
        m_isUnfinished = false;
        emit changed();
    });
    connect(&library, &bridge::RunLibraryController::runOfProjectFound, this,
            [this](const QString& folder) { m_ofProject = folder; });
    connect(&library, &bridge::RunLibraryController::detailsRead, this,
            [this](const std::shared_ptr<const bridge::RunDetails>& details) {
                if (details->run.folder != m_ofProject.toStdString()) return;
                // By whatever process: a window that was closed. One that has just ended here is on show already.
                const bool isNothingOnShow = m_services.run.snapshot().state == session::RunState::kIdle;
                if (details->run.outcome == runs::RunOutcome::kRunning && isNothingOnShow)
                    watchRun(nullptr, m_services, details->run.folder);
                m_isUnfinished = runs::isUnfinished(details->run.outcome) && !details->run.checkpoints.empty();
                emit changed();
            });
}

bool UnfinishedRun::canGoOn() const {
    const bridge::RunController& controller = m_services.run;
    const session::RunState state = controller.snapshot().state;
    if (state == session::RunState::kIdle) return m_isUnfinished;
    const bool isUnfinished = state == session::RunState::kStopped || state == session::RunState::kFailed;
    return isUnfinished && controller.savedStep() && controller.plan() != nullptr;
}

// A simulated run has no folder to be looked at: the engine says what it knows of it.
void UnfinishedRun::ask(QWidget* asker) const {
    bridge::RunController& controller = m_services.run;
    const session::Snapshot& now = controller.snapshot();
    if (now.state == session::RunState::kIdle) return askToContinue(asker, m_services, m_ofProject.toStdString());
    const session::RunJob& job = controller.job();
    if (!controller.plan()->isSimulated) return askToContinue(asker, m_services, job.spec.output.folder);
    runs::Resumption resumption;
    resumption.spec = job.spec;
    resumption.prompts = job.samplePrompts;
    resumption.step = controller.savedStep().value_or(0);
    resumption.stepsDone = now.step;
    resumption.totalSteps = now.totalSteps;
    for (const session::StepMetrics& step : m_history.steps())
        if (step.step <= resumption.step) resumption.steps.push_back(step);
    askToContinue(asker, m_services, resumption);
}

} // namespace roundpipe::ui::pages
