// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start/interrupted_offer.h"

#include "ui/models/stored_run_text.h"
#include "ui/pages/contract/continue_question.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/one_line.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roundpipe::ui::pages {
namespace {

constexpr int64_t kOfLate = int64_t{14} * 24 * 3600; // seconds: what is older was left for good

QString dismissedKey() {
    return QStringLiteral("start/interruptions-dismissed");
}

// A run that goes on and is interrupted once more is another matter.
QString interruptionOf(const runs::StoredRun& run) {
    return QString::fromStdString(run.folder.string()) + QLatin1Char('@') + QString::number(run.endedAt);
}

// The newest first.
std::vector<runs::StoredRun> interruptedOfLate(const std::vector<runs::StoredRun>& all) {
    const int64_t since = QDateTime::currentSecsSinceEpoch() - kOfLate;
    std::vector<runs::StoredRun> found;
    for (const runs::StoredRun& run : all)
        if (run.outcome == runs::RunOutcome::kInterrupted && run.endedAt >= since) found.push_back(run);
    std::ranges::stable_sort(found, std::greater(), &runs::StoredRun::endedAt);
    return found;
}

} // namespace

InterruptedOffer::InterruptedOffer(const Services& services, QWidget* parent)
    : Card({}, parent)
    , m_services(services)
    , m_sign(new QLabel)
    , m_what(new widgets::ElidedLabel)
    , m_how(new widgets::ElidedLabel)
    , m_continue(new QPushButton(tr("Continue…"))) {
    setProperty("tone", QStringLiteral("accent"));
    const auto paint = [this] {
        m_sign->setPixmap(
            theme::pixmapOf(theme::Icon::kWarning, m_services.themes.theme().warning, 24, devicePixelRatioF()));
    };
    connect(&services.themes, &theme::ThemeManager::changed, m_sign, paint);
    paint();
    m_what->setObjectName(QStringLiteral("title"));
    m_how->setObjectName(QStringLiteral("dim"));
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(m_what);
    words->addWidget(m_how);
    auto* all = new QPushButton(tr("Show all runs"));
    all->setFlat(true);
    auto* close = new QPushButton(QStringLiteral("✕"));
    close->setObjectName(QStringLiteral("close"));
    close->setToolTip(tr("Do not offer this again"));
    close->setAccessibleName(close->toolTip());
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_sign);
    row->addSpacing(4);
    row->addLayout(words, 1);
    row->addSpacing(4);
    row->addWidget(m_continue);
    row->addWidget(all);
    row->addWidget(close);
    body()->addLayout(row);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
    connect(m_continue, &QPushButton::clicked, this, [this] { askToContinue(window(), m_services, m_run.folder); });
    connect(all, &QPushButton::clicked, this,
            [this] { emit runsWanted(QString::fromStdString(m_run.folder.string())); });
    connect(close, &QPushButton::clicked, this, &InterruptedOffer::dismiss);
    connect(&services.runLibrary, &bridge::RunLibraryController::listed, this, &InterruptedOffer::showNewest);
    // When it is over, what was listed last is old: then the list is read again.
    connect(&services.run, &bridge::RunController::stateChanged, this, [this] {
        if (m_services.run.isRunning()) hide();
    });
}

void InterruptedOffer::lookAgain() {
    m_services.runLibrary.refresh();
}

void InterruptedOffer::showNewest() {
    std::vector<runs::StoredRun> runs = interruptedOfLate(m_services.runLibrary.runs());
    const QStringList dismissed = m_services.preferences.value(dismissedKey()).toStringList();
    std::erase_if(runs, [&](const runs::StoredRun& run) { return dismissed.contains(interruptionOf(run)); });
    if (runs.empty() || m_services.run.isRunning()) return hide();
    m_run = runs.front();
    const QString name = widgets::inOneLine(m_run.name);
    const QString when = models::dateText(m_run.endedAt);
    m_what->setFullText(m_run.steps > 0
                            ? tr("“%1” was interrupted after step %2, %3").arg(name, models::stepsText(m_run), when)
                            : tr("“%1” was interrupted before its first step, %2").arg(name, when));
    const bool canGoOn = !m_run.checkpoints.empty();
    QStringList how(canGoOn ? tr("It can go on from its checkpoint of step %1.").arg(m_run.checkpoints.front().step)
                            : tr("It had no checkpoint yet from which it could go on."));
    if (const int others = static_cast<int>(runs.size()) - 1; others > 0)
        how.append(tr("%n other run(s) were interrupted, too.", nullptr, others));
    m_how->setFullText(how.join(QLatin1Char(' ')), how.mid(0, 1));
    m_continue->setVisible(canGoOn);
    m_continue->setAccessibleName(tr("Continue %1…").arg(name));
    show();
}

// With those that it counts. What is no longer there, or old by now, need not be remembered.
void InterruptedOffer::dismiss() {
    QStringList dismissed;
    for (const runs::StoredRun& run : interruptedOfLate(m_services.runLibrary.runs()))
        dismissed.append(interruptionOf(run));
    m_services.preferences.set(dismissedKey(), dismissed);
    hide();
}

} // namespace roundpipe::ui::pages
