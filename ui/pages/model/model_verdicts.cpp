// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/model/model_verdicts.h"

#include "plan/plan_outline.h"
#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

std::vector<ModelFact> costsOf(const session::PlanAnswer& answer) {
    using translations::bytesText;
    const auto ofAll = [](int64_t bytes, int64_t all) {
        return ModelVerdicts::tr("%1 of %2").arg(bytesText(bytes), bytesText(all));
    };
    const std::vector<plan::DeviceMemoryTable>& memory = answer.choice.deviceMemory;
    const auto fullest = std::ranges::max_element(memory, {}, &plan::DeviceMemoryTable::total);
    const plan::DeviceSpec& device = answer.rig.devices[static_cast<std::size_t>(fullest - memory.begin())];
    return {{ModelVerdicts::tr("A step"), translations::durationText(answer.choice.step.stepSeconds)},
            {ModelVerdicts::tr("Speed"),
             ModelVerdicts::tr("%1 tokens/s").arg(translations::countText(answer.tokensPerSecond))},
            {ModelVerdicts::tr("Fullest device"), ofAll(fullest->total(), device.memoryBytes)},
            {ModelVerdicts::tr("Host memory"), ofAll(answer.choice.hostMemory.total(), answer.rig.host.memoryBytes)}};
}

} // namespace

ModelVerdicts::ModelVerdicts(const Services& services, ModelList& list, QObject* parent)
    : QObject(parent), m_services(services), m_list(list), m_planner(services.makePlanner()) {
    connect(&m_planner, &bridge::PlannerController::changed, this, &ModelVerdicts::take);
    connect(&services.run, &bridge::RunController::stateChanged, this, &ModelVerdicts::askNext);
    connect(&services.document, &document::Document::opened, this, &ModelVerdicts::forget);
    connect(&services.document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (keys != QStringList{QStringLiteral("model.path")}) forget(); // the choice among them is no news
    });
}

// They are of other settings.
void ModelVerdicts::forget() {
    m_asked.clear();
    for (int row = 0; row < m_list.rowCount(); ++row)
        if (m_list.at(row).problem.empty()) m_list.setVerdict(row, {});
    askNext();
}

void ModelVerdicts::setWatched(bool watched) {
    m_watched = watched;
    askNext();
}

void ModelVerdicts::askNext() {
    if (!m_watched || !m_asked.empty() || m_services.run.isRunning()) return;
    for (int row = 0; row < m_list.rowCount(); ++row) {
        const arch::ModelFolder& model = m_list.at(row);
        if (!model.problem.empty() || !m_list.verdictOf(row).text.isEmpty()) continue;
        m_asked = model.path.string();
        session::PlanQuestion question;
        question.spec = m_services.document.spec();
        question.spec.model.path = m_asked;
        question.spec.engine.forwardStages.clear(); // cut for another model, if at all
        question.spec.engine.backwardStages.clear();
        m_planner.ask(std::move(question), m_services.plan.rig());
        return;
    }
}

void ModelVerdicts::take() {
    const session::PlanUpdate& update = m_planner.update();
    if (m_asked.empty() || m_planner.isOld() || !update.isLast) return;
    const int row = m_list.rowOf(std::exchange(m_asked, {}));
    if (row >= 0) {
        using Kind = ModelVerdict::Kind;
        const session::PlanAnswer* answer = update.answer.get();
        if (answer == nullptr)
            m_list.setVerdict(row, {Kind::kUnknown, QString::fromStdString(update.problem)});
        else if (!answer->hasPlan)
            m_list.setVerdict(row, {.kind = Kind::kDoesNotFit,
                                    .text = models::misfitText(answer->problem, answer->rig),
                                    .brief = models::shortfallText(answer->problem, answer->rig)});
        else
            m_list.setVerdict(row, {Kind::kFits,
                                    tr("%1 a step, %2 tokens/s")
                                        .arg(translations::durationText(answer->choice.step.stepSeconds),
                                             translations::countText(answer->tokensPerSecond)),
                                    models::rigText(answer->rig), costsOf(*answer),
                                    models::outlineText(plan::outlineOf(answer->choice.plan))});
    }
    askNext();
}

} // namespace roundpipe::ui::pages
