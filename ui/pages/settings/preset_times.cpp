// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/preset_times.h"

#include "ui/translations/number_text.h"

namespace roundpipe::ui::pages {

PresetTimes::PresetTimes(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_planner(services.makePlanner()) {
    const auto forget = [this] {
        for (const auto& [preset, time] : std::exchange(m_times, {}))
            emit changed(preset);
    };
    const auto outdate = [this, forget] {
        if (!m_services.plan.hasQuestion()) forget(); // of no model any more
        m_isStale = true;
        beginAnew(); // else once the plan is known
    };
    connect(&services.plan, &ProjectPlan::changed, this, outdate);
    connect(&services.document, &document::Document::changed, this, outdate);
    connect(&services.document, &document::Document::opened, this, [forget, outdate] {
        forget();
        outdate();
    });
    connect(&m_planner, &bridge::PlannerController::changed, this, &PresetTimes::take);
}

void PresetTimes::setPresets(std::vector<document::Preset> presets) {
    m_presets = std::move(presets);
    m_isStale = true;
    beginAnew();
}

void PresetTimes::setWatched(bool watched) {
    m_watched = watched;
    beginAnew();
}

QString PresetTimes::timeOf(const QString& preset) const {
    const auto found = m_times.find(preset);
    return found == m_times.end() ? QStringLiteral("–") : found->second;
}

void PresetTimes::beginAnew() {
    const ProjectPlan& plan = m_services.plan;
    if (!m_watched || !m_isStale || plan.isWorking() || plan.isOld() || plan.answer() == nullptr) return;
    m_isStale = false;
    m_estimate.reset();
    m_next = 0;
    askNext();
}

// One that is in use takes what the plan says.
void PresetTimes::askNext() {
    const session::PlanAnswer* base = m_services.plan.answer();
    if (base == nullptr || m_services.run.isRunning()) return;
    const session::RunSpec& own = m_services.document.spec();
    for (; m_next < m_presets.size(); ++m_next) {
        const document::Preset& preset = m_presets[m_next];
        if (preset.values.empty()) continue; // can't be read any more
        m_asked = own;
        if (!isInUse(preset, own)) {
            if (!m_estimate && !base->isMeasured) m_estimate = base->choice.step.stepSeconds;
            if (m_estimate) apply(preset, m_asked);
            return m_planner.ask(m_services.plan.estimateOf(m_asked), m_services.plan.rig());
        }
        const std::optional<double> seconds = m_services.plan.wholeSecondsOf(own, *base);
        say(preset.name, !base->problem.empty() ? tr("does not fit")
                         : seconds              ? translations::durationText(*seconds)
                                                : QString());
    }
}

void PresetTimes::take() {
    if (m_planner.isOld() || !m_planner.update().isLast || m_next >= m_presets.size() || m_isStale) return;
    const session::PlanAnswer* base = m_services.plan.answer();
    const session::PlanAnswer* answer = m_planner.update().answer.get();
    if (!m_estimate) {
        const session::PlanAnswer* estimated = answer != nullptr && answer->hasPlan ? answer : base;
        if (estimated == nullptr) return;
        m_estimate = estimated->choice.step.stepSeconds;
        return askNext();
    }
    const std::optional<double> seconds =
        answer != nullptr ? m_services.plan.wholeSecondsOf(m_asked, *answer) : std::nullopt;
    QString time;
    if (answer != nullptr && !answer->problem.empty())
        time = tr("does not fit");
    else if (seconds && base != nullptr) // as much longer than the plan's as by estimates of both
        time = translations::durationText(*seconds * base->choice.step.stepSeconds / *m_estimate);
    say(m_presets[m_next++].name, time);
    askNext();
}

void PresetTimes::say(const QString& preset, const QString& time) {
    if (time.isEmpty())
        m_times.erase(preset);
    else
        m_times[preset] = time;
    emit changed(preset);
}

} // namespace roundpipe::ui::pages
