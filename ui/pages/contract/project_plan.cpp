// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/contract/project_plan.h"

#include "base/error.h"
#include "plan/cost/profile_store.h"

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int kAskAfterMs = 200;

bool isPlannedBy(const QString& key) {
    static const QString kSections[] = {QStringLiteral("model."),
                                        QStringLiteral("batch."),
                                        QStringLiteral("lora."),
                                        QStringLiteral("engine."),
                                        QStringLiteral("data.max_length"),
                                        QStringLiteral("data.over_length"),
                                        QStringLiteral("method"),
                                        QStringLiteral("optimizer.updates"),
                                        QStringLiteral("optimizer.moments")};
    return std::ranges::any_of(kSections, [&](const QString& section) { return key.startsWith(section); });
}

// Of rows that are not there is no longest one.
bool areReadable(const bridge::WorkbenchController& workbench) {
    return workbench.status().state != session::WorkbenchState::kFailed;
}

} // namespace

ProjectPlan::ProjectPlan(document::Document& document, bridge::WorkbenchController& workbench,
                         bridge::RunController& run, bridge::PlannerController& planner, QObject* parent)
    : QObject(parent), m_document(document), m_workbench(workbench), m_run(run), m_planner(planner) {
    connect(&document, &document::Document::opened, this, [this] {
        m_planner.forget(); // it was about another project
        ask();
    });
    connect(&document, &document::Document::changed, this, [this](const QStringList& keys) {
        if (std::ranges::any_of(keys, isPlannedBy)) ask();
    });
    connect(&workbench, &bridge::WorkbenchController::statusChanged, this, [this] {
        const auto& report = m_workbench.status().report;
        const bool knows = report != nullptr && report->isComplete;
        if (knows != std::exchange(m_knewLengths, knows)) ask();
    });
    connect(&workbench, &bridge::WorkbenchController::statusChanged, this, [this, wereReadable = true]() mutable {
        const bool are = areReadable(m_workbench);
        if (are != std::exchange(wereReadable, are)) emit changed(); // what is remarked of lengths
    });
    connect(&run, &bridge::RunController::stateChanged, this, [this](session::RunState state) {
        if (session::isOver(state)) ask();
    });
    connect(&planner, &bridge::PlannerController::changed, this, &ProjectPlan::changed);
    m_askSoon.setSingleShot(true);
    m_askSoon.setInterval(kAskAfterMs);
    connect(&m_askSoon, &QTimer::timeout, this, &ProjectPlan::ask);
    connect(&m_measuredTimes, &QFileSystemWatcher::directoryChanged, &m_askSoon, qOverload<>(&QTimer::start));
}

// Their folder is made with the first of them.
void ProjectPlan::watchMeasuredTimes() {
    std::error_code ignored;
    const std::filesystem::path folder = plan::profileFolder();
    if (m_measuredTimes.directories().isEmpty() && std::filesystem::is_directory(folder, ignored))
        m_measuredTimes.addPath(QString::fromStdString(folder.string()));
}

void ProjectPlan::setRig(std::string rig) {
    m_rig = std::move(rig);
    ask();
}

session::RunLengths ProjectPlan::lengths() const {
    session::RunLengths lengths;
    if (const auto& report = m_workbench.status().report; report != nullptr && report->isComplete) {
        lengths.training = {report, &report->training}; // not copied: there may be millions
        lengths.validation = {report, &report->validation};
    }
    return lengths;
}

session::RunSteps ProjectPlan::stepsOf(const session::RunSpec& spec) const {
    const session::PlanAnswer* known = answer();
    try {
        return session::stepsOf(known == nullptr ? spec : session::asPlanned(spec, *known), lengths());
    } catch (const Error&) { // a value that is not allowed is said beside its setting
        return {};
    }
}

std::optional<double> ProjectPlan::wholeSecondsOf(const session::RunSpec& spec,
                                                  const session::PlanAnswer& answer) const {
    try {
        return session::wholeSecondsOf(spec, answer, lengths());
    } catch (const Error&) { // a value that is not allowed is said beside its setting
        return std::nullopt;
    }
}

bool ProjectPlan::hasQuestion() const {
    return m_number > 0 && !m_document.spec().model.path.empty();
}

session::PlanQuestion ProjectPlan::question() const {
    session::PlanQuestion question;
    question.spec = m_document.spec();
    question.lengths = lengths();
    if (answer() != nullptr && answer()->hasPlan) question.shown = answer()->choice.plan;
    question.showsSmallest = true;
    question.compares = true;
    question.wantsTimeline = true;
    return question;
}

session::PlanQuestion ProjectPlan::estimateOf(const session::RunSpec& spec) const {
    session::PlanQuestion question;
    question.spec = spec;
    question.lengths = lengths();
    question.usesMeasured = false;
    question.seeksBetter = false;
    return question;
}

std::vector<session::SpecRemark> ProjectPlan::remarks() const {
    const session::PlanAnswer* known = answer();
    return session::remarksOn(m_document.spec(), known == nullptr ? 0 : known->model.maxPositions,
                              known == nullptr || !areReadable(m_workbench) ? session::LengthsSource()
                                                                            : known->lengthsFrom);
}

std::vector<session::ExportRemark> ProjectPlan::refusals() const {
    return answer() == nullptr ? std::vector<session::ExportRemark>() : answer()->refusals;
}

void ProjectPlan::ask() {
    if (m_document.spec().model.path.empty()) return m_planner.forget();
    if (m_run.isRunning()) return emit changed(); // why nothing is known
    watchMeasuredTimes();
    ++m_number;
    m_planner.ask(question(), m_rig);
}

} // namespace roundpipe::ui::pages
