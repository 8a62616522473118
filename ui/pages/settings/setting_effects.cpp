// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/setting_effects.h"

#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"

namespace roundpipe::ui::pages {
namespace {

constexpr const char* kMicrobatches = "batch.microbatches";

} // namespace

SettingEffects::SettingEffects(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_planner(services.makePlanner()) {
    connect(&services.plan, &ProjectPlan::changed, this, [this] {
        m_isStale = true;
        beginAnew();
    });
    connect(&services.document, &document::Document::opened, this, &SettingEffects::forget);
    connect(&m_planner, &bridge::PlannerController::changed, this, &SettingEffects::take);
    connect(&services.document, &document::Document::changed, this, &SettingEffects::sayDuration); // asks no planner
}

void SettingEffects::setWatched(bool watched) {
    const bool wasWatched = std::exchange(m_watched, watched);
    if (wasWatched == watched) return;
    if (!watched) return m_planner.forget(); // nobody waits for it
    if (m_isStale) return beginAnew();
    askNext(); // goes on with what was given up
}

QString SettingEffects::effectOf(const std::string& key) const {
    const auto found = m_effects.find(key);
    return found == m_effects.end() ? QString() : found->second;
}

void SettingEffects::forget() {
    m_isStale = true; // what is asked just now is of no interest
    m_turns.clear();
    const std::map<std::string, QString> old = std::exchange(m_effects, {});
    for (const auto& [key, effect] : old)
        emit changed(QString::fromStdString(key));
}

void SettingEffects::beginAnew() {
    const ProjectPlan& plan = m_services.plan;
    if (!m_watched || !m_isStale || plan.isWorking() || plan.isOld()) return;
    forget();
    m_isStale = false;
    m_estimate.reset();
    m_next = 0;
    if (const session::PlanAnswer* base = plan.answer(); base != nullptr && base->hasPlan)
        m_turns = settingTurns(m_services.document.spec(), *base);
    sayDuration();
    askNext();
}

// Of what decides how long the run takes: what it takes.
void SettingEffects::sayDuration() {
    for (const char* key : {"duration.epochs", "duration.max_steps"})
        if (m_effects.erase(key) > 0) emit changed(QString::fromLatin1(key));
    const session::PlanAnswer* base = m_services.plan.answer();
    const session::RunSpec& spec = m_services.document.spec();
    const session::RunSteps steps = m_services.plan.stepsOf(spec);
    const std::optional<double> seconds = base == nullptr ? std::nullopt : m_services.plan.wholeSecondsOf(spec, *base);
    if (!seconds) return;
    const std::string key = spec.duration.maxSteps > 0 ? "duration.max_steps" : "duration.epochs";
    m_effects[key] =
        tr("%n step(s) in all, %1", nullptr, static_cast<int>(steps.total)).arg(translations::durationText(*seconds));
    emit changed(QString::fromStdString(key));
}

void SettingEffects::askNext() {
    const session::PlanAnswer* base = m_services.plan.answer();
    if (!m_watched || m_isStale || base == nullptr || m_services.run.isRunning()) return;
    if (m_next >= m_turns.size()) return m_planner.forget(); // what would help where the last one does not fit
    if (!m_estimate && !base->isMeasured) m_estimate = numbersOf(*base);
    const session::RunSpec& spec = m_estimate ? m_turns[m_next].spec : m_services.document.spec();
    m_planner.ask(m_services.plan.estimateOf(spec), m_services.plan.rig());
}

// The first word on a question has the plan, or that there is none; what would help then takes longer, and nobody
// asked.
void SettingEffects::take() {
    const session::PlanUpdate& update = m_planner.update();
    const session::PlanAnswer* then = update.answer.get();
    if (m_planner.isOld() || m_isStale || m_next >= m_turns.size() || (then == nullptr && !update.isLast)) return;
    const session::PlanAnswer* base = m_services.plan.answer();
    const bool isKnown = base != nullptr && base->hasPlan && then != nullptr;
    if (!m_estimate) {
        if (!isKnown) return;
        m_estimate = numbersOf(then->hasPlan ? *then : *base);
        return askNext();
    }
    const SettingTurn& turn = m_turns[m_next++];
    if (isKnown) say(turn, *base, *then);
    askNext();
}

// A line for each value.
void SettingEffects::say(const SettingTurn& turn, const session::PlanAnswer& base, const session::PlanAnswer& then) {
    const bool isMicrobatches = turn.key == kMicrobatches;
    const bool isOfRound = isMicrobatches && base.choice.shape.numRounds() > 1;
    QString line = tr("%1: %2").arg(isOfRound ? tr("%1 a round").arg(turn.value) : turn.value, textOf(base, then));
    if (isMicrobatches && m_services.document.spec().batch.microbatches == 0)
        line = models::microbatchesText(base) + QStringLiteral(" · ") + line;
    QString& effect = m_effects[turn.key];
    effect += effect.isEmpty() ? line : QLatin1Char('\n') + line;
    emit changed(QString::fromStdString(turn.key));
}

QString SettingEffects::memoryText(const PlanNumbers& before, const PlanNumbers& after) {
    const QString memory = bytesDifference(before.fullestBytes, after.fullestBytes);
    if (memory.isEmpty()) return {};
    if (before.numResident == after.numResident) return tr("%1 on the fullest device").arg(memory);
    return tr("%1 on the fullest device, where the weights of %n layer(s) stay instead of %2", nullptr,
              after.numResident)
        .arg(memory)
        .arg(before.numResident);
}

// By estimates on both sides; what they differ by holds for the step that the plan says.
QString SettingEffects::textOf(const session::PlanAnswer& base, const session::PlanAnswer& then) const {
    if (!then.hasPlan) return tr("does not fit");
    const PlanNumbers after = numbersOf(then);
    const double step = base.choice.step.stepSeconds * after.stepSeconds / m_estimate->stepSeconds;
    QStringList parts{tr("%1 a step").arg(translations::durationText(step))};
    if (const QString speed = shareDifference(m_estimate->tokensPerSecond, after.tokensPerSecond); !speed.isEmpty())
        parts.append(tr("%1 speed").arg(speed));
    if (const QString memory = memoryText(*m_estimate, after); !memory.isEmpty()) parts.append(memory);
    if (const QString host = bytesDifference(m_estimate->hostBytes, after.hostBytes); !host.isEmpty())
        parts.append(tr("%1 of host memory").arg(host));
    if (!then.problem.empty()) parts.append(tr("does not fit"));
    return parts.join(tr(", "));
}

} // namespace roundpipe::ui::pages
