// The program in a test: its window over a home of its own, worked by clicks and keys as a person does.
#pragma once

#include "ui/shell/main_window.h"
#include "ui/test_services.h"

#include <QSize>

namespace roundpipe::testing {

class Studio {
public:
    // With the simulated engine, so many times faster than it says.
    explicit Studio(QSize size, double speed = 1);

    TestServices& services() { return m_services; }
    ui::shell::MainWindow& window() { return m_window; }
    ui::pages::Page& page(const char* id); // brought forward by a click on the rail

    // The one enabled button with this text that is on show, clicked. Throws kInvalidInput where there is none.
    void click(const char* text);
    // Until it is so; throws kIo after `seconds`, naming `what` was waited for.
    void waitFor(const char* what, const std::function<bool()>& isSo, double seconds = 20);
    void endRun(); // if there is one
    void settle(); // what is under way in plan, data and layout has come to rest

private:
    TestServices m_services;
    ui::shell::MainWindow m_window;
};

} // namespace roundpipe::testing
