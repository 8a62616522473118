// SPDX-License-Identifier: GPL-3.0-or-later
// Where a file is to be written.
#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace roundpipe::ui::widgets {

struct SaveKind {
    QString filter; // "Pictures (*.png)"; empty: there is no other kind
    QString name;   // that is suggested, with its ending
};

// Asks for it in a dialog; empty: nowhere. A name without an ending gets that of the chosen kind, of which there is at
// least one, so that the dialog asks before that file is replaced.
QString askWhereToSave(QWidget* parent, const QString& title, const std::vector<SaveKind>& kinds);

} // namespace roundpipe::ui::widgets
