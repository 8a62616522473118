// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run/run_log.h"

#include "ui/models/run_text.h"
#include "ui/translations/number_text.h"
#include "ui/widgets/run_state_text.h"

#include <QTime>

namespace roundpipe::ui::pages {

RunLog::RunLog(const bridge::RunController& controller, QWidget* parent) : QPlainTextEdit(parent) {
    setReadOnly(true);
    setTabChangesFocus(true);
    setMaximumBlockCount(5000);
    setAccessibleName(tr("Messages of the run"));
    using bridge::RunController;
    connect(&controller, &RunController::stateChanged, this,
            [this](session::RunState state) { say(widgets::runStateText(state)); });
    connect(&controller, &RunController::validated, this, [this](int64_t step, double loss) {
        say(tr("validation loss %1 after step %2").arg(translations::fixedText(loss, 3)).arg(step));
    });
    connect(&controller, &RunController::warned, this,
            [this](const session::RunEvent& warning) { say(tr("warning: %1").arg(models::runText(warning))); });
    connect(&controller, &RunController::saved, this,
            [this](const session::RunEvent& saved) { say(tr("saved %1").arg(models::runText(saved))); });
    connect(&controller, &RunController::failed, this,
            [this](const QString& message, const QString& advice) { say(tr("error: %1 %2").arg(message, advice)); });
}

void RunLog::sayPlan(const session::RunPlan& plan, const QString& model, const QString& cuts) {
    say(model);
    say(cuts);
    say(tr("%1 parameters are trained on %2 rows, %3 are for validation")
            .arg(translations::countText(static_cast<double>(plan.numTrainableParameters)))
            .arg(plan.numExamples)
            .arg(plan.numValidationExamples));
    if (plan.numDroppedRows > 0) say(tr("%1 rows of the data were dropped").arg(plan.numDroppedRows));
}

void RunLog::say(const QString& line) {
    appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) + line);
}

} // namespace roundpipe::ui::pages
