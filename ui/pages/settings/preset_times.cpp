#include "ui/pages/settings/preset_times.h"

#include "ui/translations/number_text.h"

namespace roundpipe::ui::pages {

PresetTimes::PresetTimes(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_planner(services.makePlanner()) {
    connect(&services.plan, &ProjectPlan::changed, this, &PresetTimes::beginAnew);
    const auto outdate = [this] {
        m_isStale = true;
        beginAnew(); // else once the plan is known
    };
    connect(&services.document, &document::Document::changed, this, outdate);
    connect(&services.document, &document::Document::opened, this, outdate);
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
    m_next = 0;
    askNext();
}

void PresetTimes::askNext() {
    while (m_next < m_presets.size() && m_presets[m_next].values.empty())
        ++m_next; // can't be read any more
    if (m_next >= m_presets.size() || m_services.run.isRunning()) return;
    m_asked = m_services.document.spec();
    apply(m_presets[m_next], m_asked);
    session::PlanQuestion question;
    question.spec = m_asked;
    question.lengths = m_services.plan.lengths();
    m_planner.ask(std::move(question), m_services.plan.rig());
}

void PresetTimes::take() {
    if (m_planner.isOld() || !m_planner.update().isLast || m_next >= m_presets.size() || m_isStale) return;
    const QString name = m_presets[m_next++].name;
    const session::PlanAnswer* answer = m_planner.update().answer.get();
    const std::optional<double> seconds =
        answer != nullptr ? m_services.plan.wholeSecondsOf(m_asked, *answer) : std::nullopt;
    if (answer != nullptr && !answer->problem.empty())
        m_times[name] = tr("does not fit");
    else if (seconds)
        m_times[name] = translations::durationText(*seconds);
    else
        m_times.erase(name);
    emit changed(name);
    askNext();
}

} // namespace roundpipe::ui::pages
