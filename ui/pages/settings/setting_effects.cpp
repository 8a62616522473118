#include "ui/pages/settings/setting_effects.h"

#include "ui/editors/field_text.h"
#include "ui/pages/settings/plan_numbers.h"
#include "ui/translations/number_text.h"

#include <array>

namespace roundpipe::ui::pages {
namespace {

// Those that a plan depends on, with numbers that can be doubled.
constexpr std::array kAsked = {"lora.rank", "data.max_length", "batch.microbatch_size", "batch.microbatches",
                               "batch.rounds"};

} // namespace

SettingEffects::SettingEffects(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_planner(services.makePlanner()) {
    connect(&services.plan, &ProjectPlan::changed, this, [this] {
        m_isStale = true;
        beginAnew();
    });
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

void SettingEffects::beginAnew() {
    const ProjectPlan& plan = m_services.plan;
    if (!m_watched || !m_isStale || plan.isWorking() || plan.isOld()) return;
    m_isStale = false;
    const std::map<std::string, QString> old = std::exchange(m_effects, {});
    for (const auto& [key, effect] : old)
        emit changed(QString::fromStdString(key));
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
    const session::Field& field = session::fieldByKey(kAsked[m_next]);
    session::PlanQuestion question;
    question.spec = m_services.document.spec();
    const auto doubled = 2 * std::get<int64_t>(field.get(question.spec));
    m_turned = QString::number(doubled);
    field.set(question.spec, doubled);
    question.lengths = m_services.plan.lengths();
    m_planner.ask(std::move(question), m_services.plan.rig());
}

void SettingEffects::take() {
    if (m_planner.isOld() || !m_planner.update().isLast || m_next >= kAsked.size() || m_isStale) return;
    const session::PlanAnswer* base = m_services.plan.answer();
    const session::PlanAnswer* then = m_planner.update().answer.get();
    const std::string key = kAsked[m_next];
    ++m_next;
    if (base != nullptr && base->hasPlan && then != nullptr) {
        QStringList parts;
        if (then->hasPlan) {
            const PlanNumbers before = numbersOf(*base);
            const PlanNumbers after = numbersOf(*then);
            parts.append(tr("%1 a step").arg(translations::durationText(after.stepSeconds)));
            if (const QString speed = shareDifference(before.tokensPerSecond, after.tokensPerSecond); !speed.isEmpty())
                parts.append(tr("%1 speed").arg(speed));
            if (const QString memory = bytesDifference(before.fullestBytes, after.fullestBytes); !memory.isEmpty())
                parts.append(tr("%1 on the fullest device").arg(memory));
            if (!then->problem.empty()) parts.append(tr("does not fit"));
        } else {
            parts.append(tr("does not fit"));
        }
        m_effects[key] = tr("%1: %2").arg(m_turned, parts.join(QStringLiteral(", ")));
        emit changed(QString::fromStdString(key));
    }
    askNext();
}

} // namespace roundpipe::ui::pages
