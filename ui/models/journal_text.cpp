// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/journal_text.h"

#include "session/engine.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QStringList>

namespace roundpipe::ui::models {
namespace {

struct JournalWords {
    Q_DECLARE_TR_FUNCTIONS(Journal)
};

QString withDetail(const QString& words, const std::string& detail) {
    return detail.empty() ? words : words + QStringLiteral(": ") + QString::fromStdString(detail);
}

QString endText(const runs::JournalEntry& entry) {
    const auto state = fromSpelling<session::RunState>(entry.what);
    if (state == session::RunState::kFinished) return JournalWords::tr("Finished after step %1").arg(entry.step);
    if (state == session::RunState::kStopped) return JournalWords::tr("Stopped after step %1").arg(entry.step);
    if (state == session::RunState::kFailed) return JournalWords::tr("Failed after step %1").arg(entry.step);
    return JournalWords::tr("Ended after step %1").arg(entry.step); // as a later version says it
}

} // namespace

QString journalText(const runs::JournalEntry& entry) {
    const QString what = QString::fromStdString(entry.what);
    switch (entry.event) {
    case runs::JournalEvent::kBegun:
        return withDetail(entry.step == 0 ? JournalWords::tr("Begun")
                                          : JournalWords::tr("Goes on after step %1").arg(entry.step),
                          entry.text);
    case runs::JournalEvent::kCheckpoint:
        return JournalWords::tr("Step %1: checkpoint written, %2").arg(QString::number(entry.step), what);
    case runs::JournalEvent::kNotWritten:
        return withDetail(JournalWords::tr("Step %1: not written, %2").arg(QString::number(entry.step), what),
                          entry.text);
    case runs::JournalEvent::kSkipped:
        return withDetail(JournalWords::tr("Step %1 skipped").arg(entry.step), entry.text);
    case runs::JournalEvent::kRemedy:
        return withDetail(JournalWords::tr("Step %1").arg(entry.step), entry.text);
    case runs::JournalEvent::kRefused:
        return withDetail(JournalWords::tr("Could not go on"), entry.text);
    case runs::JournalEvent::kResult: // its text tells the files from others
        return JournalWords::tr("Step %1: result written, %2").arg(QString::number(entry.step), what);
    case runs::JournalEvent::kEnded:
        return withDetail(endText(entry), entry.text);
    }
    return {};
}

QString journalText(const std::vector<runs::JournalEntry>& journal) {
    QStringList lines;
    QDate day;
    for (const runs::JournalEntry& entry : journal) {
        const QDateTime time = QDateTime::fromSecsSinceEpoch(entry.time);
        if (time.date() != day) {
            day = time.date();
            lines += QLocale().toString(day, QLocale::LongFormat);
        }
        lines += time.toString(QStringLiteral("HH:mm:ss")) + QStringLiteral("  ") + journalText(entry);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace roundpipe::ui::models
