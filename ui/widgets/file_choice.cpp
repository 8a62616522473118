// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_choice.h"

#include <QFileDialog>
#include <QFileInfo>

namespace roundpipe::ui::widgets {
namespace {

QString& lastFolder() { // of the window's thread
    static QString folder;
    return folder;
}

QString begin(const QString& from) {
    if (!from.isEmpty()) return from;
    return QFileInfo(lastFolder()).isDir() ? lastFolder() : QString(); // it may be gone by now
}

QString remembered(const QString& chosen) {
    if (!chosen.isEmpty()) lastFolder() = QFileInfo(chosen).absolutePath(); // of a folder that which holds it, too
    return chosen;
}

} // namespace

QString askForFile(QWidget* parent, const QString& title, const QString& filter, const QString& from) {
    return remembered(QFileDialog::getOpenFileName(parent, title, begin(from), filter));
}

QStringList askForFiles(QWidget* parent, const QString& title) {
    const QStringList files = QFileDialog::getOpenFileNames(parent, title, begin({}));
    remembered(files.value(0));
    return files;
}

QString askForFolder(QWidget* parent, const QString& title, const QString& from) {
    return remembered(QFileDialog::getExistingDirectory(parent, title, begin(from)));
}

QString folderOfChoices() {
    return lastFolder();
}

void setFolderOfChoices(const QString& folder) {
    lastFolder() = folder;
}

} // namespace roundpipe::ui::widgets
