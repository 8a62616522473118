// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_controller.h"

#include "base/error.h"
#include "base/units.h"
#include "base/user_folders.h"
#include "session/run/moved_folder.h"
#include "session/run/trace_about.h"
#include "ui/bridge/tick.h"

#include <algorithm>

namespace roundpipe::ui::bridge {
namespace {

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

bool isEnd(const session::RunEvent& event) {
    return event.kind == session::RunEvent::Kind::kStateChanged && session::isOver(event.state);
}

} // namespace

RunController::RunController(QObject* parent) : QObject(parent) {
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &RunController::tick);
}

RunController::~RunController() {
    if (!m_running || m_active->goesOnAlone()) return;
    m_active->requestStop();
    m_active->wait();
}

void RunController::setEngine(std::unique_ptr<session::Engine> engine) {
    const bool isOnShow = m_active != nullptr && m_active == m_engine.get();
    RP_CHECK(!m_running || !isOnShow);
    if (isOnShow) m_active = nullptr;
    m_engine = std::move(engine);
    emit engineChanged();
}

void RunController::start(session::RunJob job, std::vector<session::StepMetrics> earlier) {
    if (m_running || !m_engine) return;
    try {
        m_startedNs = steadyNowNs();
        m_engine->start(job);
    } catch (const Error& error) {
        emit failed(text(error.message()), text(error.advice()));
        return;
    }
    m_active = m_engine.get();
    m_followed.reset();
    begin(std::move(job), std::move(earlier));
}

void RunController::follow(std::unique_ptr<session::Engine> engine, session::RunJob job) {
    if (m_running) return;
    m_startedNs = steadyNowNs();
    m_followed = std::move(engine);
    m_active = m_followed.get();
    begin(std::move(job), {});
}

void RunController::begin(session::RunJob job, std::vector<session::StepMetrics> earlier) {
    clear();
    m_job = std::move(job);
    m_running = true;
    m_earlier = std::move(earlier);
    if (!m_earlier.empty()) m_firstLoss = m_earlier.front().loss;
    m_timer.start();
    emit started();
    emit traceChanged();
}

void RunController::forget() {
    if (m_running) return;
    clear();
    emit forgotten();
    emit traceChanged();
}

void RunController::clear() {
    m_job = {};
    m_plan.reset();
    m_store = {};
    m_open.clear();
    m_snapshot = {};
    m_earlier.clear();
    m_firstLoss.reset();
    m_savedStep.reset();
}

void RunController::setTraceBudget(int64_t bytes) {
    m_traceBudget = bytes;
    m_store.setBudget(bytes, userCacheFolder());
}

void RunController::send(session::Command command) {
    if (!m_running) return;
    m_active->send(std::move(command));
    tick(); // the window shows at once that it was heard
}

uint64_t RunController::numTraceRecordsDropped() const {
    return m_active != nullptr ? m_active->numTraceRecordsDropped() : 0;
}

void RunController::tick() {
    pull();
    if (m_running) return;
    pull(); // the first one's snapshot may be of the moment before the end
    m_timer.stop();
}

// The end is told last: who hears of it finds the run's last records in the store.
void RunController::pull() {
    m_snapshot = m_active->snapshot();
    const std::vector<session::RunEvent> events = m_active->takeEvents();
    const auto end = std::ranges::find_if(events, isEnd);
    std::for_each(events.begin(), end, [this](const session::RunEvent& event) { handle(event); });
    pullTrace(m_running && end == events.end());
    std::for_each(end, events.end(), [this](const session::RunEvent& event) { handle(event); });
    emit ticked();
}

// Records that come before the lanes are known wait in the engine.
void RunController::pullTrace(bool goesOn) {
    if (!m_plan) return;
    const bool grew = !m_open.empty();
    m_open = goesOn ? m_active->openSlices() : std::vector<trace::Record>(); // before what may have ended since
    m_batch.clear();
    m_active->takeTrace(m_batch);
    m_store.append(m_batch);
    if (!m_batch.empty() || !m_open.empty() || grew) emit traceChanged();
}

void RunController::handle(const session::RunEvent& event) {
    using Kind = session::RunEvent::Kind;
    switch (event.kind) {
    case Kind::kStateChanged:
        if (isEnd(event)) m_running = false;
        m_snapshot.state = event.state;
        emit stateChanged(event.state);
        break;
    case Kind::kPlanReady:
        m_plan = event.plan;
        m_store = trace::LaneStore(m_plan->lanes, m_startedNs, session::aboutOf(m_job.spec, *m_plan));
        m_store.setBudget(m_traceBudget, userCacheFolder());
        emit planReady(m_plan);
        emit traceChanged();
        break;
    case Kind::kStepDone:
        if (!m_firstLoss) m_firstLoss = event.metrics.loss;
        emit stepDone(event.metrics);
        break;
    case Kind::kValidated:
        emit validated(event.step, event.validationLoss);
        break;
    case Kind::kCheckpointSaved:
        m_savedStep = event.step;
        emit saved(event);
        break;
    case Kind::kSampleReady:
        emit sampleReady(event);
        break;
    case Kind::kWarning:
        if (auto folder = session::movedFolder(event)) m_job.spec.output.folder = std::move(*folder);
        emit warned(event);
        break;
    case Kind::kError:
        emit failed(text(event.text), text(event.advice));
        break;
    }
}

} // namespace roundpipe::ui::bridge
