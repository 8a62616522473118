// SPDX-License-Identifier: GPL-3.0-or-later
// A push button that shows an action: its text, whether it is allowed, why, and its menu.
#pragma once

#include <QPushButton>

class QAction;

namespace roundpipe::ui::widgets {

// `primary`: the one thing to do on a page. An action of low priority is something to think about first: its button is
// never in the accent's colour.
QPushButton* makeActionButton(QAction& action, bool primary = false, QWidget* parent = nullptr);
void setPrimary(QPushButton& button, bool primary); // of such a button, later on

} // namespace roundpipe::ui::widgets
