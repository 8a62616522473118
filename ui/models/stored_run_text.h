// SPDX-License-Identifier: GPL-3.0-or-later
// What is stored of a run, as the window words it.
#pragma once

#include "runs/stored_run.h"

#include <QDateTime>
#include <QString>

namespace roundpipe::ui::models {

QString nothingText();                         // "–": what is said where nothing is known
QString outcomeText(runs::RunOutcome outcome); // "Interrupted"
QString dateText(int64_t seconds, const QDateTime& now = QDateTime::currentDateTime()); // "today 14:26"
QString lossText(const std::optional<double>& loss);                                    // "0.421", "–"
QString bytesText(int64_t bytes);                                                       // "–" for none
QString durationText(double seconds);                                                   // "
QString rateText(double tokensPerSecond);                                               // "
// "12 of 195", or "195" where all are done.
QString stepsText(const runs::StoredRun& run);

} // namespace roundpipe::ui::models
