// SPDX-License-Identifier: GPL-3.0-or-later
// What is stored of a run, as the window words it.
#pragma once

#include "runs/stored_run.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <filesystem>

namespace roundpipe::ui::models {

QString nothingText();                         // "–": what is said where nothing is known
QString outcomeText(runs::RunOutcome outcome); // "Interrupted"
// How long a run that is under way has done no step, in seconds, where that is worth a word; else 0.
int64_t silentSeconds(const runs::StoredRun& run, const QDateTime& now = QDateTime::currentDateTime());
// "Running", "Running, no step for 12 min", "Damaged"
QString stateText(const runs::StoredRun& run, const QDateTime& now = QDateTime::currentDateTime());
// Why it failed, what is broken, or when it was last heard of; empty where there is nothing to say.
QString stateDetail(const runs::StoredRun& run, const QDateTime& now = QDateTime::currentDateTime());
QString dateText(int64_t seconds, const QDateTime& now = QDateTime::currentDateTime()); // "today 14:26"
QString lossText(const std::optional<double>& loss);                                    // "0.421", "–"
QString bytesText(int64_t bytes);                                                       // "–" for none
QString durationText(double seconds);                                                   // "
QString rateText(double tokensPerSecond);                                               // "
// What in the run's folder no run has made, and would go with it, or with `within` of it: a line each.
QStringList foreignTexts(const runs::StoredRun& run, const std::filesystem::path& within = {});
// "12 of 195", or "195" where all are done.
QString stepsText(const runs::StoredRun& run);

} // namespace roundpipe::ui::models
