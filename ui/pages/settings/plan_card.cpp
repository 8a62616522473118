// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/plan_card.h"

#include "ui/models/plan_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/elided_label.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QStyle>
#include <QVBoxLayout>

#include <cmath>

namespace roundpipe::ui::pages {
namespace {

constexpr int kLeastName = 90; // pixels
constexpr int kOneGoMs = 2500; // between two digits of a number that is being typed

QString duration(double seconds) {
    return translations::durationText(seconds);
}

QString bytes(int64_t count) {
    return translations::bytesText(count);
}

// What no setting changes: numbers of two such lists are not held against each other.
QStringList whatIsPlanned(const session::RunSpec& spec, const plan::Rig& rig) {
    QStringList all{models::rigText(rig), QString::fromStdString(spec.model.path)};
    for (const session::DatasetSection& dataset : spec.data.datasets)
        for (const std::string& file : dataset.files)
            all.append(QString::fromStdString(file));
    return all;
}

void showVerdict(QLabel& label, const QString& verdict, const char* tone) {
    label.setText(verdict);
    label.setVisible(!verdict.isEmpty()); // without one, numbers stand at the edge
    if (label.property("tone").toString() == QLatin1String(tone)) return;
    label.setProperty("tone", QLatin1String(tone));
    label.style()->unpolish(&label);
    label.style()->polish(&label);
}

} // namespace

PlanCard::PlanCard(const Services& services, QWidget* parent)
    : Card(tr("What it comes to"), parent), m_services(services), m_note(new QLabel), m_table(new QWidget) {
    m_note->setObjectName(QStringLiteral("dim"));
    m_note->setWordWrap(true);
    auto* grid = new QGridLayout(m_table);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    grid->setColumnMinimumWidth(0, kLeastName); // names can be told apart beside the longest times
    m_step = addRow(*grid, tr("A step"));
    m_speed = addRow(*grid, tr("Speed, tokens/s"));
    m_bubble = addRow(*grid, tr("Idle"));
    m_epoch = addRow(*grid, tr("Steps an epoch"));
    m_steps = addRow(*grid, tr("Steps in all"));
    m_whole = addRow(*grid, tr("The whole run"));
    m_fullest = addRow(*grid, tr("Fullest device"));
    m_host = addRow(*grid, tr("Host memory"));
    body()->addWidget(m_table);
    body()->addWidget(m_note);
    connect(&services.plan, &ProjectPlan::changed, this, &PlanCard::showPlan);
    connect(&services.document, &document::Document::opened, this, [this] {
        m_before.reset();
        m_now.reset();
        m_settled.reset();
        showPlan();
    });
    connect(&services.document, &document::Document::changed, this, &PlanCard::keepBefore);
    showPlan();
}

PlanCard::Row PlanCard::addRow(QGridLayout& grid, const QString& name) {
    const int row = grid.rowCount();
    auto* label = new widgets::ElidedLabel(name); // numbers have the room first
    Row added{new QLabel, new QLabel, new QLabel};
    added.before->setObjectName(QStringLiteral("dim"));
    added.verdict->setObjectName(QStringLiteral("verdict"));
    added.now->setAccessibleName(name);
    for (QLabel* value : {added.before, added.now})
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid.addWidget(label, row, 0);
    grid.addWidget(added.before, row, 1);
    grid.addWidget(added.now, row, 2);
    grid.addWidget(added.verdict, row, 3);
    return added;
}

// What is typed or turned in one go is compared with where it began, though what lies between is planned, too.
void PlanCard::keepBefore(const QStringList& keys) {
    const bool goesOn = keys == m_turned && m_sinceTurned.isValid() && m_sinceTurned.elapsed() < kOneGoMs;
    if (!goesOn) m_before = m_settled;
    m_turned = keys;
    m_sinceTurned.start();
    showPlan();
}

void PlanCard::showPlan() {
    const ProjectPlan& plan = m_services.plan;
    const session::PlanAnswer* answer = plan.answer();
    const bool isNew = answer != nullptr && !plan.isOld();
    if (m_services.document.spec().model.path.empty()) {
        m_note->setText(tr("Choose a model to see memory and time."));
        m_now.reset();
    } else if (answer == nullptr && m_services.run.isRunning()) {
        m_note->setText(tr("This project is planned when the run under way has ended."));
    } else if (isNew && answer->hasPlan) {
        m_now = knownOf(*answer);
        if (m_before && m_before->planned != m_now->planned) m_before.reset(); // nothing that a setting did
        const QString rig = models::rigText(answer->rig);
        QString note = !answer->problem.empty() ? models::misfitText(answer->problem, answer->rig)
                       : answer->isMeasured     ? tr("On %1. Times of layers are measured.").arg(rig)
                                                : tr("On %1. Times of layers are estimated.").arg(rig);
        if (m_before && !hasLikeTimes())
            note += QLatin1Char(' ') + tr("Times of before are left out: they were %1.")
                                           .arg(m_before->isMeasured ? tr("measured") : tr("estimated"));
        m_note->setText(note);
    } else if (isNew) {
        m_now.reset();
        m_note->setText(tr("Does not fit. %1").arg(models::misfitText(answer->problem, answer->rig)));
    } else if (!plan.isWorking() && !plan.problem().isEmpty()) {
        m_note->setText(plan.problem() + QLatin1Char(' ') + plan.advice());
    } else if (plan.isWorking()) {
        m_note->setText(tr("Planning…"));
    }
    m_table->setVisible(m_now.has_value());
    m_table->setEnabled(isNew);
    if (m_now) showNumbers();
    if (!plan.isOld() && !plan.isWorking()) m_settled = m_now;
}

void PlanCard::showNumbers() {
    enum class Wanted { kLess, kMore, kNeither };
    // A difference that nobody would see is none.
    const auto judge = [](const Row& row, double before, double now, Wanted wanted) {
        if (std::abs(now - before) < 0.005 * std::abs(before)) return showVerdict(*row.verdict, {}, "");
        if (wanted == Wanted::kNeither) return showVerdict(*row.verdict, now > before ? tr("more") : tr("less"), "");
        const bool isBetter = (now < before) == (wanted == Wanted::kLess);
        showVerdict(*row.verdict, isBetter ? tr("better") : tr("worse"), isBetter ? "good" : "warning");
    };
    const Known* const all = m_before ? &*m_before : nullptr;
    const auto showFrom = [&](const Known* known, const Row& row, auto valueOf, auto text, Wanted wanted) {
        const std::optional<double> now = valueOf(*m_now);
        const std::optional<double> before = known != nullptr ? valueOf(*known) : std::nullopt;
        const bool differs = now && before && text(*now) != text(*before);
        row.before->setText(differs ? text(*before) + QStringLiteral(" →") : QString());
        row.now->setText(now ? text(*now) : tr("needs the rows"));
        differs ? judge(row, *before, *now, wanted) : showVerdict(*row.verdict, {}, "");
    };
    const auto show = [&](auto&&... shown) { showFrom(all, shown...); };
    const auto showTime = [&](auto&&... shown) { showFrom(hasLikeTimes() ? all : nullptr, shown...); };
    using Value = std::optional<double>;
    const auto asBytes = [](double count) { return bytes(static_cast<int64_t>(count)); };
    const auto asCount = [](double count) { return QLocale().toString(static_cast<qlonglong>(count)); };
    showTime(
        m_step, [](const Known& k) { return Value(k.numbers.stepSeconds); }, duration, Wanted::kLess);
    showTime(
        m_speed, [](const Known& k) { return Value(k.numbers.tokensPerSecond); },
        [](double rate) { return translations::countText(rate); }, Wanted::kMore);
    showTime(
        m_bubble, [](const Known& k) { return Value(k.numbers.bubbleShare); },
        [](double share) { return tr("%1 %").arg(translations::fixedText(share * 100, 1)); }, Wanted::kLess);
    show(
        m_epoch, [](const Known& k) { return k.stepsAnEpoch; }, asCount, Wanted::kNeither);
    show(
        m_steps, [](const Known& k) { return k.steps; }, asCount, Wanted::kNeither);
    showTime(
        m_whole, [](const Known& k) { return k.wholeSeconds; }, duration, Wanted::kLess);
    show(
        m_fullest, [](const Known& k) { return Value(static_cast<double>(k.numbers.fullestBytes)); }, asBytes,
        Wanted::kNeither);
    show(
        m_host, [](const Known& k) { return Value(static_cast<double>(k.numbers.hostBytes)); }, asBytes,
        Wanted::kNeither);
}

bool PlanCard::hasLikeTimes() const {
    return m_before && m_now && m_before->isMeasured == m_now->isMeasured;
}

PlanCard::Known PlanCard::knownOf(const session::PlanAnswer& answer) const {
    const session::RunSpec& spec = m_services.document.spec();
    const session::RunSteps steps = m_services.plan.stepsOf(spec);
    const auto ifKnown = [](int64_t count) {
        return count > 0 ? std::optional(static_cast<double>(count)) : std::nullopt;
    };
    return {numbersOf(answer),       m_services.plan.wholeSecondsOf(spec, answer),
            ifKnown(steps.perEpoch), ifKnown(steps.total),
            answer.isMeasured,       whatIsPlanned(spec, answer.rig)};
}

} // namespace roundpipe::ui::pages
