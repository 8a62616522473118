// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/command_line.h"

#include "base/plain_words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
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

} // namespace roundpipe::ui::models
