// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/queue/grid_times.h"

namespace roundpipe::ui::pages {
GridTimes::GridTimes(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_planner(services.makePlanner()) {
    connect(&m_planner, &bridge::PlannerController::changed, this, &GridTimes::take);
}

void GridTimes::setRuns(std::vector<session::RunSpec> runs) {
    m_runs = std::move(runs);
    if (!m_isWorking) askNext();
}

double GridTimes::secondsOf(const session::RunSpec& run) const {
    const auto found = m_answers.find(session::planKeyOf(run));
    if (found == m_answers.end() || !found->second || !found->second->problem.empty() || !m_factor) return 0;
    return m_services.plan.wholeSecondsOf(run, *found->second).value_or(0) * *m_factor;
}

void GridTimes::askNext() {
    const ProjectPlan& plan = m_services.plan;
    m_isWorking = false;
    if (plan.answer() == nullptr || !plan.answer()->hasPlan || plan.rig() != "this" || m_services.run.isRunning())
        return emit changed();
    m_asked.clear();
    if (!m_factor && !plan.answer()->isMeasured) m_factor = 1;
    const session::RunSpec* next = m_factor ? nullptr : &m_services.document.spec();
    for (auto run = m_runs.begin(); next == nullptr && run != m_runs.end(); ++run) {
        m_asked = session::planKeyOf(*run);
        if (!m_answers.contains(m_asked)) next = &*run;
    }
    m_isWorking = next != nullptr;
    if (m_isWorking) m_planner.ask(plan.estimateOf(*next), plan.rig());
    emit changed();
}

void GridTimes::take() {
    if (!m_isWorking || m_planner.isOld() || !m_planner.update().isLast) return;
    const std::shared_ptr<const session::PlanAnswer> answer = m_planner.update().answer;
    if (m_factor) {
        m_answers[m_asked] = answer != nullptr && answer->hasPlan ? answer : nullptr;
    } else {
        const session::PlanAnswer* own = m_services.plan.answer();
        const bool isKnown = answer != nullptr && answer->hasPlan && own != nullptr;
        m_factor = isKnown ? own->choice.step.stepSeconds / answer->choice.step.stepSeconds : 1;
    }
    askNext();
}

} // namespace roundpipe::ui::pages
