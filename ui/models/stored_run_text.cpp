// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/stored_run_text.h"

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

QString stepsText(const runs::StoredRun& run) {
    if (run.totalSteps <= run.steps) return QString::number(run.steps);
    return QCoreApplication::translate("StoredRun", "%1 of %2").arg(run.steps).arg(run.totalSteps);
}

} // namespace roundpipe::ui::models
