// SPDX-License-Identifier: GPL-3.0-or-later
// The first start of an installed program: LibTorch is not there yet, and the window offers to fetch it.
#pragma once

#include "ui/preferences/preferences.h"
#include "ui/setup/set_up_dialog.h"
#include "ui/shell/main_window.h"

#include <functional>

namespace roundpipe::studio {

class FirstStart : public QObject {
    Q_OBJECT
public:
    // `loadEngine` is called once all is there, `useSimulated` where somebody only wants to look around.
    FirstStart(ui::shell::MainWindow& window, ui::preferences::Preferences& preferences,
               std::function<void()> loadEngine, std::function<void()> useSimulated);

    // In a checkout never; else until what this version needs was set up.
    bool isNeeded() const;
    // Asks by a dialog; where that was put off once, by a line above the page that leads to it.
    void begin();

private:
    void ask();

    ui::shell::MainWindow& m_window;
    ui::preferences::Preferences& m_preferences;
    std::function<void()> m_loadEngine;
    std::function<void()> m_useSimulated;
    ui::setup::SetUpDialog* m_dialog = nullptr; // the window's
};

} // namespace roundpipe::studio
