// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/command_line.h"

#include "base/plain_words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace roundpipe::ui::models {
namespace {

constexpr QLatin1String kProgram("roundpipe");

// Empty: there is none.
QString pathOfProgram() {
    const QDir here(QCoreApplication::applicationDirPath());
    for (const char* place : {"roundpipe", "../cli/roundpipe"}) // installed; as it is built
        if (const QFileInfo file(here.filePath(QLatin1String(place))); file.isFile() && file.isExecutable())
            return QDir::cleanPath(file.absoluteFilePath());
    return {};
}

} // namespace

QString asTyped(const QString& command) {
    const bool isOurs = command.section(QLatin1Char(' '), 0, 0) == kProgram;
    if (!isOurs || !QStandardPaths::findExecutable(kProgram).isEmpty()) return command;
    const QString path = pathOfProgram();
    if (path.isEmpty()) return command;
    return QString::fromStdString(shellWord(path.toStdString())) + command.mid(kProgram.size());
}

QString withWholeOptions(QString sentence, bool isCopied) {
    static const QRegularExpression kOption(QStringLiteral("--[a-z][a-z0-9-]*(?: [\\w-]+)?"));
    qsizetype at = 0;
    for (auto match = kOption.match(sentence); match.hasMatch(); match = kOption.match(sentence, at)) {
        QString whole = match.captured().replace(QLatin1Char(' '), QChar(QChar::Nbsp)); // which is copied as a blank
        if (!isCopied) whole.replace(QLatin1Char('-'), QStringLiteral("-\u2060"));      // a word joiner
        sentence.replace(match.capturedStart(), match.capturedLength(), whole);
        at = match.capturedStart() + whole.size();
    }
    return sentence;
}

} // namespace roundpipe::ui::models
