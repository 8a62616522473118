// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/command_line.h"

#include "session/spec/run_command.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace roundpipe::ui::models {
namespace {

const QString kProgram = QStringLiteral("roundpipe");

// Empty: there is none.
QString pathOfProgram() {
    const QDir here(QCoreApplication::applicationDirPath());
    for (const QString& place : {kProgram, QStringLiteral("../cli/") + kProgram}) // installed; as it is built
        if (const QFileInfo file(here.filePath(place)); file.isFile() && file.isExecutable())
            return QDir::cleanPath(file.absoluteFilePath());
    return {};
}

} // namespace

QString asTyped(const QString& command) {
    if (!command.startsWith(kProgram + QLatin1Char(' ')) || !QStandardPaths::findExecutable(kProgram).isEmpty())
        return command;
    const QString path = pathOfProgram();
    if (path.isEmpty()) return command;
    return QString::fromStdString(session::quoted(path.toStdString())) + command.mid(kProgram.size());
}

} // namespace roundpipe::ui::models
