// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/setting_effects.h"

#include "session/spec/run_shape.h"
#include "ui/editors/field_text.h"
#include "ui/models/plan_text.h"
#include "ui/pages/settings/setting_sections.h"
#include "ui/translations/number_text.h"

#include <array>

namespace roundpipe::ui::pages {
namespace {

constexpr const char *kMicrobatches = "batch.microbatches", *kSize = "batch.microbatch_size";

// Those that a plan depends on, with numbers that can be doubled.
constexpr std::array kAsked = {"lora.rank", "data.max_length", kSize, kMicrobatches, "batch.rounds"};

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
    m_watched = watched;
    if (watched) beginAnew();
}

QString SettingEffects::effectOf(const std::string& key) const {
    const auto found = m_effects.find(key);
    return found == m_effects.end() ? QString() : found->second;
}

void SettingEffects::forget() {
    m_isStale = true; // what is asked just now is of no interest
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
    if (base == nullptr || !base->hasPlan || m_services.run.isRunning() || m_next >= kAsked.size()) return;
    session::RunSpec spec = m_services.document.spec();
    if (!whyIdle(session::fieldByKey(kAsked[m_next]), spec.method).isEmpty()) {
        ++m_next;
        return askNext();
    }
    if (!m_estimate && !base->isMeasured) m_estimate = numbersOf(*base);
    if (m_estimate) {
        const session::Field& field = session::fieldByKey(kAsked[m_next]);
        if (field.key == kMicrobatches) spec = session::asPlanned(std::move(spec), *base);
        if (field.key == kSize && spec.batch.microbatchSize == 0)
            spec.batch.microbatchSize = session::stepRulesOf(session::asPlanned(spec, *base)).microbatchSize;
        const auto doubled = 2 * std::get<int64_t>(field.get(spec));
        m_turned = QString::number(doubled);
        field.set(spec, doubled);
    }
    m_planner.ask(m_services.plan.estimateOf(spec), m_services.plan.rig());
}

void SettingEffects::take() {
    if (m_planner.isOld() || !m_planner.update().isLast || m_next >= kAsked.size() || m_isStale) return;
    const session::PlanAnswer* base = m_services.plan.answer();
    const session::PlanAnswer* then = m_planner.update().answer.get();
    const bool isKnown = base != nullptr && base->hasPlan && then != nullptr;
    if (!m_estimate) {
        if (!isKnown) return;
        m_estimate = numbersOf(then->hasPlan ? *then : *base);
        return askNext();
    }
    const std::string key = kAsked[m_next];
    ++m_next;
    if (isKnown) {
        const bool isOfRound = key == kMicrobatches && base->choice.shape.numRounds() > 1;
        QString effect = tr("%1: %2").arg(isOfRound ? tr("%1 a round").arg(m_turned) : m_turned, textOf(*base, *then));
        if (key == kMicrobatches && m_services.document.spec().batch.microbatches == 0)
            effect = models::microbatchesText(*base) + QStringLiteral(" · ") + effect;
        m_effects[key] = effect;
        emit changed(QString::fromStdString(key));
    }
    askNext();
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
    if (!then.problem.empty()) parts.append(tr("does not fit"));
    return parts.join(tr(", "));
}

} // namespace roundpipe::ui::pages
