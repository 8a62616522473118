// SPDX-License-Identifier: GPL-3.0-or-later
// The program in a test: its window over a home of its own, worked by clicks and keys as a person does.
#pragma once

#include "event_loop_watchdog.h"
#include "ui/shell/main_window.h"
#include "ui/test_services.h"

#include <QSize>

namespace roundpipe::testing {

// It counts the rows of a run as the program's own does, so that a run takes the tokens that its plan says.
std::unique_ptr<session::Engine> simulatedEngine(double speed, const std::string& machine);

class Studio {
public:
    // With the simulated engine, so many times faster than it says, on four 4090s.
    explicit Studio(QSize size, double speed = 1);
    // With an engine that trains on this machine, and what measures it.
    Studio(QSize size, std::unique_ptr<session::Engine> engine, session::RigProbe probe);

    TestServices& services() { return m_services; }
    ui::shell::MainWindow& window() { return m_window; }
    QWidget& front();                      // a window of its own that was opened last, the manual's; else the window
    ui::pages::Page& page(const char* id); // brought forward by a click on the rail

    // The one enabled button with this text that is on show, clicked. Throws kInvalidInput where there is none.
    void click(const char* text);
    void command(const char* text); // of the menus, likewise
    // Into the box of this name that is on show, in place of what it holds; throws where there is none.
    void type(const char* name, const QString& text);
    // Clicks what opens a file dialog and chooses this there.
    void chooseFile(const char* button, const std::filesystem::path& path);
    // Until it is so; throws kIo after `seconds`, naming `what` was waited for.
    void waitFor(const char* what, const std::function<bool()>& isSo, double seconds = 20);
    void endRun(); // if there is one
    void settle(); // what is under way in plan, data and layout has come to rest

private:
    void showWindow(QSize size);

    TestServices m_services;
    ui::shell::MainWindow m_window;
    std::unique_ptr<studio::EventLoopWatchdog> m_watchdog; // once there is a window that could answer
};

} // namespace roundpipe::testing
