// SPDX-License-Identifier: GPL-3.0-or-later
// A push button that shows an action: its text, whether it is allowed, why, and its menu.
#pragma once

#include <QPushButton>

class QAction;

namespace roundpipe::ui::widgets {

// `primary`: the one thing to do on a page.
QPushButton* makeActionButton(QAction& action, bool primary = false, QWidget* parent = nullptr);

} // namespace roundpipe::ui::widgets
