// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/stored_run_text.h"

#include "runs/own_folders.h"
#include "ui/models/coded_text.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace roundpipe::ui::models {
namespace {

const QString kNothing = QStringLiteral("–");

} // namespace

QString nothingText() {
    return kNothing;
}

QString outcomeText(runs::RunOutcome outcome) {
    switch (outcome) {
    case runs::RunOutcome::kRunning:
        return QCoreApplication::translate("StoredRun", "Running");
    case runs::RunOutcome::kFinished:
        return QCoreApplication::translate("StoredRun", "Finished");
    case runs::RunOutcome::kStopped:
        return QCoreApplication::translate("StoredRun", "Stopped");
    case runs::RunOutcome::kFailed:
        return QCoreApplication::translate("StoredRun", "Failed");
    case runs::RunOutcome::kInterrupted:
        return QCoreApplication::translate("StoredRun", "Interrupted");
    case runs::RunOutcome::kUnknown:
        return QCoreApplication::translate("StoredRun", "Not known");
    }
    return {};
}

int64_t silentSeconds(const runs::StoredRun& run, const QDateTime& now) {
    return runs::silentSeconds(run, now.toSecsSinceEpoch());
}

QString stateText(const runs::StoredRun& run, const QDateTime& now) {
    if (const int64_t silent = silentSeconds(run, now); silent > 0) {
        const QString howLong = silent < 3600
                                    ? QStringLiteral("%1\u00a0min").arg(silent / 60) // seconds say nothing here
                                    : durationText(static_cast<double>(silent));
        return QCoreApplication::translate("StoredRun", "Running, no step for %1").arg(howLong);
    }
    const bool isDamaged = !run.problem.empty() && run.outcome != runs::RunOutcome::kFailed;
    return isDamaged ? QCoreApplication::translate("StoredRun", "Damaged") : outcomeText(run.outcome);
}

QString stateDetail(const runs::StoredRun& run, const QDateTime& now) {
    if (!run.problem.empty())
        return QString::fromStdString(run.problem + (run.advice.empty() ? "" : "\n" + run.advice));
    if (run.outcome != runs::RunOutcome::kInterrupted || run.endedAt == 0) return {};
    return QCoreApplication::translate("StoredRun",
                                       "Its process ended without a word. It was last heard of: %1, after step %2.")
        .arg(dateText(run.endedAt, now))
        .arg(run.steps);
}

QString dateText(int64_t seconds, const QDateTime& now) {
    if (seconds == 0) return kNothing;
    const QDateTime then = QDateTime::fromSecsSinceEpoch(seconds);
    const QString time = QLocale().toString(then.time(), QStringLiteral("HH:mm"));
    const qint64 days = then.date().daysTo(now.date());
    if (days == 0) return QCoreApplication::translate("StoredRun", "today %1").arg(time);
    if (days == 1) return QCoreApplication::translate("StoredRun", "yesterday %1").arg(time);
    if (days > 1 && days < 7) return QLocale().toString(then.date(), QStringLiteral("ddd")) + QLatin1Char(' ') + time;
    return QLocale().toString(then.date(), QLocale::ShortFormat);
}

QString lossText(const std::optional<double>& loss) {
    return loss ? translations::fixedText(*loss, 3) : kNothing;
}

QString bytesText(int64_t bytes) {
    return bytes > 0 ? translations::bytesText(bytes) : kNothing;
}

QString durationText(double seconds) {
    return seconds > 0 ? translations::durationText(seconds) : kNothing;
}

QString rateText(double tokensPerSecond) {
    return tokensPerSecond > 0 ? QLocale().toString(static_cast<qlonglong>(tokensPerSecond)) : kNothing;
}

QStringList foreignTexts(const runs::StoredRun& run, const std::filesystem::path& within) {
    QStringList lines;
    for (const std::filesystem::path& entry : runs::foreignEntries(runs::RunFiles{run.folder}, within))
        lines.append(wordsOf("OwnFolders", runs::kGoesToo, {(run.folder.filename() / entry).string()}));
    return lines;
}

QString stepsText(const runs::StoredRun& run) {
    if (run.totalSteps <= run.steps) return QString::number(run.steps);
    return QCoreApplication::translate("StoredRun", "%1 of %2").arg(run.steps).arg(run.totalSteps);
}

} // namespace roundpipe::ui::models
