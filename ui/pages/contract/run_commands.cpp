// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/contract/run_commands.h"

#include "ui/document/new_run.h"

#include <QAction>

#include <algorithm>

namespace roundpipe::ui::pages {

using bridge::RunController;
using session::RunState;

RunCommands::RunCommands(document::Document& document, RunController& run, bridge::ExportController& exports,
                         bridge::ChatController& chat, bridge::QueueController& queue, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_run(run)
    , m_exports(exports)
    , m_chat(chat)
    , m_queue(queue)
    , m_start(make(tr("Start"), tr("Start the run (Ctrl+R)"), Qt::CTRL | Qt::Key_R))
    , m_enqueue(make(tr("Add to the queue"), tr("Let this project be trained when its devices are free (Ctrl+Shift+R)"),
                     Qt::CTRL | Qt::SHIFT | Qt::Key_R))
    , m_pause(make(tr("Pause"), {}, Qt::CTRL | Qt::Key_P))
    , m_stop(
          make(tr("Stop and save"), tr("Finish the running step, save, and end (Ctrl+.)"), Qt::CTRL | Qt::Key_Period))
    , m_discard(make(tr("Stop and discard"), tr("Finish the running step and end; what was saved before stays")))
    , m_save(make(tr("Save now"), tr("Write a checkpoint after the running step")))
    , m_validate(make(tr("Validate now"), tr("Measure the validation loss after the running step")))
    , m_sample(make(tr("Sample now"), tr("Answer the prompts with what has been learned by now"))) {
    connect(m_start, &QAction::triggered, this, &RunCommands::startRun);
    connect(m_enqueue, &QAction::triggered, this, &RunCommands::enqueueProject);
    connect(m_pause, &QAction::triggered, this, [this] { m_run.snapshot().isPaused ? m_run.resume() : m_run.pause(); });
    connect(m_stop, &QAction::triggered, &m_run, &RunController::stop);
    connect(m_discard, &QAction::triggered, &m_run, &RunController::stopAndDiscard);
    connect(m_save, &QAction::triggered, &m_run, &RunController::saveNow);
    connect(m_validate, &QAction::triggered, &m_run, &RunController::validateNow);
    connect(m_sample, &QAction::triggered, this, &RunCommands::sampleNow);
    connect(&m_run, &RunController::started, this, [this] {
        m_runsProject = m_document.name();
        m_otherProject.clear();
    });
    connect(&m_document, &document::Document::opened, this, &RunCommands::followProject);
    for (auto signal : {&RunController::engineChanged, &RunController::started, &RunController::forgotten})
        connect(&m_run, signal, this, &RunCommands::update);
    connect(&m_run, &RunController::stateChanged, this, &RunCommands::update);
    connect(&m_run, &RunController::failed, this, &RunCommands::update);
    connect(&m_exports, &bridge::ExportController::changed, this, &RunCommands::update);
    update();
}

QAction* RunCommands::make(const QString& text, const QString& toolTip, const QKeySequence& keys) {
    auto* action = new QAction(text, this);
    action->setToolTip(toolTip);
    action->setShortcut(keys);
    return action;
}

// A run that is over goes with its project. One that is under way stays on show, as what it is.
void RunCommands::followProject() {
    if (m_run.isRunning()) {
        m_otherProject = m_runsProject;
    } else {
        m_otherProject.clear();
        m_run.forget();
    }
}

void RunCommands::setMissing(std::vector<Missing> missing) {
    m_missing = std::move(missing);
    update();
}

void RunCommands::setNoEngine(NoEngine why) {
    m_noEngine = why;
    update();
}

const Missing* RunCommands::firstMissing(bool isEstimate) const {
    const auto found = std::ranges::find(m_missing, isEstimate, &Missing::isEstimate);
    return found == m_missing.end() ? nullptr : &*found;
}

void RunCommands::startRun() {
    if (isNotSetUp()) return emit setUpWanted();
    if (!m_run.hasEngine() || m_run.isRunning()) return;
    if (m_exports.underWay())
        emit exportMet();
    else if (const Missing* missing = firstMissing(false))
        emit missingMet(*missing);
    else if (m_queue.hasTrainer()) // whatever another program has begun of it meanwhile
        m_queue.readThen(*this, [this] { startUnlessTaken(); });
    else
        startBesideQueue();
}

void RunCommands::startUnlessTaken() {
    const bridge::QueueView::Begun* run = m_queue.trainedOn(m_document.spec().engine.devices);
    if (run != nullptr && !m_run.isRunning()) return emit queueMet(QString::fromStdString(run->name()));
    startBesideQueue();
}

void RunCommands::startBesideQueue() {
    if (const Missing* estimate = firstMissing(true); estimate != nullptr && !m_run.isRunning())
        emit doubted(*estimate);
    else
        startAnyway();
}

// Whether it fits is not asked: that is known when it begins.
void RunCommands::enqueueProject() {
    if (const Missing* missing = firstMissing(false)) return emit missingMet(*missing);
    emit queueWanted();
}

void RunCommands::startAnyway() {
    if (!m_run.hasEngine() || m_run.isRunning() || m_exports.underWay() || firstMissing(false) != nullptr) return;
    m_chat.freeThen([this] {
        if (!m_run.isRunning()) m_run.start({document::specForNewRun(m_document), m_document.prompts()});
    });
}

void RunCommands::sampleNow() {
    const std::vector<std::string>& prompts =
        m_otherProject.isEmpty() ? m_document.prompts() : m_run.job().samplePrompts;
    if (prompts.empty()) return emit promptsWanted();
    m_run.sampleNow(prompts);
}

bool RunCommands::isDoubted() const {
    return m_run.hasEngine() && !m_run.isRunning() && firstMissing(false) == nullptr && firstMissing(true) != nullptr;
}

QString RunCommands::startText() const {
    if (m_run.hasEngine()) {
        if (m_run.isRunning()) return tr("Running");
        return isDoubted() ? tr("Start anyway…") : tr("Start");
    }
    switch (m_noEngine) {
    case NoEngine::kLoading:
        return tr("Loading engine…");
    case NoEngine::kFailed:
        return tr("No engine");
    case NoEngine::kNotSetUp:
        return tr("Set up training…");
    }
    return {};
}

QString RunCommands::startToolTip() const {
    if (isNotSetUp()) return tr("Download what training needs (Ctrl+R)");
    if (m_exports.underWay()) return tr("An export is being made: a run can start when it has ended.");
    if (const Missing* missing = firstMissing(false)) return tr("Still missing: %1").arg(missing->text);
    const Missing* estimate = firstMissing(true);
    return estimate != nullptr ? estimate->text : tr("Start the run (Ctrl+R)");
}

void RunCommands::update() {
    const bool running = m_run.isRunning();
    const RunState state = m_run.snapshot().state;
    const bool paused = m_run.snapshot().isPaused;
    const bool obeys = running && state != RunState::kStopping;
    m_start->setEnabled((m_run.hasEngine() || isNotSetUp()) && !running);
    m_start->setText(startText());
    m_start->setToolTip(startToolTip());
    m_start->setPriority(isDoubted() ? QAction::LowPriority : QAction::NormalPriority); // nobody is led to it then
    m_pause->setEnabled(obeys);
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setToolTip(paused ? tr("Go on with the next step (Ctrl+P)")
                               : tr("Stand still after the running step; all memory is kept (Ctrl+P)"));
    m_stop->setEnabled(obeys);
    m_discard->setEnabled(running);
    for (QAction* action : {m_save, m_validate, m_sample})
        action->setEnabled(obeys);
}

} // namespace roundpipe::ui::pages
