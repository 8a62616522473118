// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/timeline_forecast.h"

#include "ui/models/plan_text.h"
#include "ui/timeline/timeline_view.h"

#include <QGraphicsOpacityEffect>

#include <algorithm>
#include <iterator>

namespace roundpipe::ui::pages {
namespace {

constexpr double kOpacity = 0.45; // of what has not happened yet

// Whether the steps of one plan can be held against those of the other.
bool isSameCut(const plan::Plan& a, const plan::Plan& b) {
    return a.forward == b.forward && a.fused == b.fused && a.backward == b.backward && a.deviceTable == b.deviceTable;
}

// What the lanes have from the start of a step in steady state to the start of the next, cut at both: as long and as
// idle as the planner says that a step is. What reaches in from the step before stands for this one's own end, which
// reaches as far into the next.
std::vector<trace::Record> steadyStep(const session::PredictedTimeline& timeline) {
    std::vector<trace::Record> steps, all;
    std::ranges::copy_if(timeline.records, std::back_inserter(steps), [&](const trace::Record& record) {
        return record.kind == trace::Kind::kStep && record.startNs >= timeline.steadyFromNs &&
               record.startNs < timeline.steadyToNs;
    });
    std::ranges::sort(steps, {}, &trace::Record::startNs);
    for (std::size_t s = 0; s < steps.size(); ++s) { // each until the next begins
        steps[s].endNs = s + 1 < steps.size() ? steps[s + 1].startNs : timeline.steadyToNs;
        all.push_back(steps[s]);
    }
    for (trace::Record record : timeline.records) {
        if (record.kind == trace::Kind::kStep || record.startNs >= timeline.steadyToNs ||
            (record.endNs <= timeline.steadyFromNs && record.startNs < timeline.steadyFromNs))
            continue;
        record.startNs = std::max(record.startNs, timeline.steadyFromNs);
        record.endNs = std::min(record.endNs, timeline.steadyToNs);
        if (!steps.empty() && record.step >= 0) record.step = std::max(record.step, steps.front().step);
        all.push_back(record);
    }
    return all;
}

} // namespace

TimelineForecast::TimelineForecast(const Services& services, timeline::TimelineView& view, QObject* parent)
    : QObject(parent), m_services(services), m_view(view) {
    connect(&services.plan, &ProjectPlan::changed, this, &TimelineForecast::show);
    connect(&view.plot(), &timeline::TimelinePlot::layoutChanged, this, [this] {
        if (m_isShown) m_view.plot().navigation().fit(); // whole in any size
    });
}

void TimelineForecast::begin() {
    const ProjectPlan& plan = m_services.plan;
    m_foreseen = plan.isOld() || plan.answer() == nullptr || !plan.answer()->timeline ? nullptr : plan.shared();
}

void TimelineForecast::forget() {
    m_foreseen.reset();
    m_view.plot().setPlanned(nullptr);
}

void TimelineForecast::show() {
    const bridge::RunController& run = m_services.run;
    const bool isBefore = run.isRunning() || run.snapshot().state == session::RunState::kIdle;
    if (!run.store().empty() || !isBefore) return;
    const session::PlanAnswer* answer = m_services.plan.answer();
    if (answer == nullptr || !answer->hasPlan || answer->timeline == nullptr || m_services.plan.isOld()) {
        if (!run.isRunning()) end();
        return;
    }
    const session::PredictedTimeline& timeline = *answer->timeline;
    m_step = trace::LaneStore(timeline.lanes, timeline.steadyFromNs);
    m_step.append(steadyStep(timeline));
    timeline::TimelinePlot& plot = m_view.plot();
    plot.setStore(&m_step);
    plot.dataArrived();
    plot.navigation().fit();
    m_view.setTitle(tr("Predicted step"));
    m_rig = models::rigText(answer->rig);
    if (!std::exchange(m_isShown, true)) {
        auto* faint = new QGraphicsOpacityEffect(&plot); // owned by the plot
        faint->setOpacity(kOpacity);
        plot.setGraphicsEffect(faint);
    }
    emit changed();
}

void TimelineForecast::end() {
    if (!std::exchange(m_isShown, false)) return;
    m_view.setTitle(tr("Timeline"));
    m_view.plot().setGraphicsEffect(nullptr);
    m_view.plot().setStore(&m_services.run.store());
    showBelowSteps();
    emit changed();
}

void TimelineForecast::holdAgainst(const session::RunPlan& plan) {
    if (m_foreseen && !isSameCut(m_foreseen->choice.plan, plan.plan)) m_foreseen.reset();
    if (!m_isShown) m_view.plot().lanesChanged();
    showBelowSteps();
}

// As soon as those are on show.
void TimelineForecast::showBelowSteps() {
    if (m_foreseen == nullptr || m_isShown) return;
    const session::PredictedTimeline& timeline = *m_foreseen->timeline;
    m_view.plot().setPlanned(std::make_shared<timeline::PlannedSteps>(timeline.lanes, timeline.records,
                                                                      timeline.steadyFromNs, timeline.steadyToNs));
}

} // namespace roundpipe::ui::pages
