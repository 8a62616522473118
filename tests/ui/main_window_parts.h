// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the whole window look for in it.
#pragma once

#include "ui/shell/main_window.h"

#include <QPushButton>

namespace roundpipe::testing {

inline QPushButton* startButton(const ui::shell::MainWindow& window) {
    return window.page(QStringLiteral("run"))->findChild<QPushButton*>(QStringLiteral("primary"));
}
inline bool hasTitle(const ui::shell::MainWindow& window, const char* part) {
    return window.windowTitle().contains(QLatin1String(part));
}

} // namespace roundpipe::testing
