// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/planner_controller.h"

#include "ui/bridge/tick.h"

namespace roundpipe::ui::bridge {
namespace {

// Until the first word on a question: a knob that is moved is followed by the bars at once.
constexpr int kEagerTickMs = 5;

} // namespace

PlannerController::PlannerController(std::unique_ptr<session::Planner> planner, QObject* parent)
    : QObject(parent), m_planner(std::move(planner)) {
    connect(&m_timer, &QTimer::timeout, this, &PlannerController::tick);
}

void PlannerController::ask(session::PlanQuestion question, const std::string& rig) {
    m_asked = m_planner->ask(std::move(question), rig);
    m_timer.start(kEagerTickMs);
    emit changed();
}

void PlannerController::forget() {
    m_planner->cancel();
    m_timer.stop();
    m_update = {};
    m_asked = m_update.question;
    emit changed();
}

void PlannerController::tick() {
    std::vector<session::PlanUpdate> updates = m_planner->takeUpdates();
    if (updates.empty()) return;
    m_update = std::move(updates.back()); // which knows all that the ones before it do
    if (m_update.isLast)
        m_timer.stop();
    else
        m_timer.setInterval(kTickMs);
    emit changed();
}

} // namespace roundpipe::ui::bridge
