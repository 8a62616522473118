// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_status_bar.h"

#include "ui/models/activity_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/run_state_text.h"

#include <QLabel>
#include <QProgressBar>

namespace roundpipe::ui::shell {

RunStatusBar::RunStatusBar(bridge::RunController& run, QWidget* parent)
    : QStatusBar(parent)
    , m_run(run)
    , m_state(new QLabel)
    , m_progress(new QProgressBar)
    , m_numbers(new QLabel)
    , m_engine(new QLabel) {
    m_state->setObjectName(QStringLiteral("title"));
    m_engine->setObjectName(QStringLiteral("dim"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(160);
    m_progress->setAccessibleName(tr("Progress of the run"));
    setSizeGripEnabled(false);
    setContentsMargins(10, 2, 10, 2);
    addWidget(m_state);
    addWidget(m_progress);
    addWidget(m_numbers, 1);
    addPermanentWidget(m_engine);
    setEngineName({});
    connect(&run, &bridge::RunController::ticked, this, &RunStatusBar::showSnapshot);
    connect(&run, &bridge::RunController::stateChanged, this, &RunStatusBar::showSnapshot);
    connect(&run, &bridge::RunController::forgotten, this, &RunStatusBar::showSnapshot);
    showSnapshot();
}

void RunStatusBar::setEngineName(const QString& name) {
    m_engine->setText(name.isEmpty() ? tr("no engine yet") : name);
}

void RunStatusBar::showSnapshot() {
    const session::Snapshot& now = m_run.snapshot();
    const bool running = m_run.isRunning();
    m_state->setText(widgets::runStateText(now.state));
    m_progress->setVisible(running);
    const bool known = now.totalSteps > 0;
    m_progress->setRange(0, known ? static_cast<int>(now.totalSteps) : 0);
    if (known) m_progress->setValue(static_cast<int>(now.step));
    QStringList parts;
    if (running && !now.activities.empty()) parts.append(models::activityText(now.activities));
    if (known) parts.append(tr("step %1 of %2").arg(now.step).arg(now.totalSteps));
    if (running && now.tokensPerSecond > 0)
        parts.append(tr("%1 tokens/s").arg(translations::countText(now.tokensPerSecond)));
    if (running && now.remainingSeconds)
        parts.append(tr("%1 left").arg(translations::durationText(*now.remainingSeconds)));
    m_numbers->setText(parts.join(QStringLiteral("   ·   ")));
}

} // namespace roundpipe::ui::shell
