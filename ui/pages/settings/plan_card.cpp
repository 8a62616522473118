#include "ui/pages/settings/plan_card.h"

#include "base/units.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace roundpipe::ui::pages {
namespace {

QString duration(double seconds) {
    return QString::fromStdString(formatDuration(seconds));
}

QString bytes(int64_t count) {
    return QString::fromStdString(formatBytes(count));
}

} // namespace

PlanCard::PlanCard(const Services& services, QWidget* parent)
    : Card(tr("What it comes to"), parent), m_services(services), m_note(new QLabel), m_table(new QWidget) {
    m_note->setObjectName(QStringLiteral("dim"));
    m_note->setWordWrap(true);
    auto* grid = new QGridLayout(m_table);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    m_step = addRow(*grid, tr("A step"));
    m_speed = addRow(*grid, tr("Speed, tokens/s"));
    m_bubble = addRow(*grid, tr("Idle"));
    m_whole = addRow(*grid, tr("The whole run"));
    m_fullest = addRow(*grid, tr("Fullest device"));
    m_host = addRow(*grid, tr("Host memory"));
    body()->addWidget(m_table);
    body()->addWidget(m_note);
    connect(&services.plan, &ProjectPlan::changed, this, &PlanCard::showPlan);
    connect(&services.document, &document::Document::opened, this, [this] {
        m_before.reset();
        m_now.reset();
        showPlan();
    });
    connect(&services.document, &document::Document::changed, this, &PlanCard::keepBefore);
    showPlan();
}

PlanCard::Row PlanCard::addRow(QGridLayout& grid, const QString& name) {
    const int row = grid.rowCount();
    auto* label = new QLabel(name);
    Row added{new QLabel, new QLabel};
    added.before->setObjectName(QStringLiteral("dim"));
    added.now->setAccessibleName(name);
    for (QLabel* value : {added.before, added.now})
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    grid.addWidget(label, row, 0);
    grid.addWidget(added.before, row, 1);
    grid.addWidget(added.now, row, 2);
    return added;
}

// With the last settled plan: a drag of many changes is compared with where it began.
void PlanCard::keepBefore() {
    if (!m_services.plan.isOld() && !m_services.plan.isWorking()) m_before = m_now;
    showPlan();
}

void PlanCard::showPlan() {
    const ProjectPlan& plan = m_services.plan;
    const session::PlanAnswer* answer = plan.answer();
    const bool isNew = answer != nullptr && !plan.isOld();
    if (m_services.document.spec().model.path.empty()) {
        m_note->setText(tr("Choose a model to see memory and time."));
        m_now.reset();
    } else if (isNew && answer->hasPlan) {
        m_now = numbersOf(*answer);
        m_note->setText(answer->problem.empty() ? tr("On %1. Times of layers are %2.")
                                                      .arg(QString::fromStdString(answer->rig.name),
                                                           answer->timesFrom.empty() ? tr("estimated") : tr("measured"))
                                                : QString::fromStdString(answer->problem));
    } else if (isNew) {
        m_now.reset();
        m_note->setText(tr("Does not fit. %1").arg(QString::fromStdString(answer->problem)));
    } else if (!plan.isWorking() && !plan.problem().isEmpty()) {
        m_now.reset();
        m_note->setText(plan.problem() + QLatin1Char(' ') + plan.advice());
    } else if (plan.isWorking()) {
        m_note->setText(tr("Planning…"));
    }
    m_table->setVisible(m_now.has_value());
    m_table->setEnabled(isNew);
    if (m_now) showNumbers(*m_now);
}

void PlanCard::showNumbers(const PlanNumbers& numbers) {
    const auto put = [](const Row& row, const QString& before, const QString& now) {
        row.before->setText(before == now || before.isEmpty() ? QString() : before + QStringLiteral(" →"));
        row.now->setText(now);
    };
    const auto show = [&](const Row& row, auto text) {
        put(row, m_before ? text(*m_before) : QString(), text(numbers));
    };
    show(m_step, [](const PlanNumbers& n) { return duration(n.stepSeconds); });
    show(m_speed, [](const PlanNumbers& n) { return QString::fromStdString(formatCount(n.tokensPerSecond)); });
    show(m_bubble, [](const PlanNumbers& n) { return QStringLiteral("%1 %").arg(n.bubbleShare * 100, 0, 'f', 1); });
    show(m_fullest, [](const PlanNumbers& n) { return bytes(n.fullestBytes); });
    show(m_host, [](const PlanNumbers& n) { return bytes(n.hostBytes); });
    put(m_whole, {}, wholeRun(numbers));
}

QString PlanCard::wholeRun(const PlanNumbers& numbers) const {
    const session::RunSpec& spec = m_services.document.spec();
    if (spec.duration.maxSteps > 0) return duration(static_cast<double>(spec.duration.maxSteps) * numbers.stepSeconds);
    const auto training = m_services.plan.lengths().training;
    if (training == nullptr || numbers.tokensPerSecond <= 0) return tr("needs the rows");
    return duration(spec.duration.epochs * static_cast<double>(training->numTokens()) / numbers.tokensPerSecond);
}

} // namespace roundpipe::ui::pages
