// SPDX-License-Identifier: GPL-3.0-or-later
// Files and folders that are chosen in a dialog, which begins where something was chosen last: Qt's own begin in the
// folder that the program was started in.
#pragma once

#include <QStringList>

class QWidget;

namespace roundpipe::ui::widgets {

// Empty: nothing was chosen. `from`: a file or folder to begin at instead; empty: where the last one lay.
QString askForFile(QWidget* parent, const QString& title, const QString& filter = {}, const QString& from = {});
QStringList askForFiles(QWidget* parent, const QString& title = {});
QString askForFolder(QWidget* parent, const QString& title = {}, const QString& from = {});

// Where the last one lay; empty: none was chosen yet. The window keeps it between starts.
QString folderOfChoices();
void setFolderOfChoices(const QString& folder);

} // namespace roundpipe::ui::widgets
