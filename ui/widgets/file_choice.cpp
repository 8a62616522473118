// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_choice.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSplitter>

namespace roundpipe::ui::widgets {
namespace {

constexpr QSize kSize(860, 540);
constexpr int kPlaces = 170; // width

QString& lastFolder() { // of the window's thread
    static QString folder;
    return folder;
}

QString begin(const QString& from) {
    if (!from.isEmpty()) return from;
    return QFileInfo(lastFolder()).isDir() ? lastFolder() : QDir::homePath(); // it may be gone by now
}

// Where the desktop has no such question of its own, Qt's is asked, whose list of places has no room as it comes.
QStringList ask(QFileDialog& dialog) {
    dialog.resize(kSize);
    if (auto* parts = dialog.findChild<QSplitter*>()) parts->setSizes({kPlaces, kSize.width() - kPlaces});
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles() : QStringList();
}

QString remembered(const QString& chosen) {
    if (!chosen.isEmpty()) lastFolder() = QFileInfo(chosen).absolutePath(); // of a folder that which holds it, too
    return chosen;
}

} // namespace

QString askForFile(QWidget* parent, const QString& title, const QString& filter, const QString& from) {
    QFileDialog dialog(parent, title, begin(from), filter);
    dialog.setFileMode(QFileDialog::ExistingFile);
    return remembered(ask(dialog).value(0));
}

QStringList askForFiles(QWidget* parent, const QString& title) {
    QFileDialog dialog(parent, title, begin({}));
    dialog.setFileMode(QFileDialog::ExistingFiles);
    const QStringList files = ask(dialog);
    remembered(files.value(0));
    return files;
}

QString askForFolder(QWidget* parent, const QString& title, const QString& from) {
    QFileDialog dialog(parent, title, begin(from));
    dialog.setFileMode(QFileDialog::Directory);
    dialog.setOption(QFileDialog::ShowDirsOnly);
    return remembered(ask(dialog).value(0));
}

QString folderOfChoices() {
    return lastFolder();
}

void setFolderOfChoices(const QString& folder) {
    lastFolder() = folder;
}

} // namespace roundpipe::ui::widgets
