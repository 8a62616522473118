// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_end_text.h"

#include "ui/translations/number_text.h"

#include <QCoreApplication>

namespace roundpipe::ui::models {
namespace {

QString wordsOf(const char* english) {
    return QCoreApplication::translate("RunEnd", english);
}

} // namespace

RunEndText runEndText(const session::RunJob& job, session::RunState state, std::optional<double> firstLoss,
                      const std::optional<session::StepMetrics>& last) {
    const QString name =
        job.spec.name.empty() ? wordsOf(QT_TRANSLATE_NOOP("RunEnd", "The run")) : QString::fromStdString(job.spec.name);
    const char* headline = QT_TRANSLATE_NOOP("RunEnd", "%1 was stopped.");
    if (state == session::RunState::kFinished) headline = QT_TRANSLATE_NOOP("RunEnd", "%1 is ready.");
    if (state == session::RunState::kFailed) headline = QT_TRANSLATE_NOOP("RunEnd", "%1 has failed.");
    RunEndText text{wordsOf(headline).arg(name), {}};
    if (firstLoss && last)
        text.detail = wordsOf(QT_TRANSLATE_NOOP("RunEnd", "Loss %1 → %2."))
                          .arg(translations::fixedText(*firstLoss, 2))
                          .arg(translations::fixedText(last->loss, 2));
    return text;
}

} // namespace roundpipe::ui::models
