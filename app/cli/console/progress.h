// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal shows of a run: one line that changes on a terminal, a line a step elsewhere.
#pragma once

#include "session/engine.h"

#include <string>

namespace roundpipe::cli {

class Progress {
public:
    enum class Style { kQuiet, kLines, kTerminal };
    explicit Progress(Style style) : m_style(style) {}
    ~Progress();
    static Style styleOfStandardOutput();

    void plan(const session::RunPlan& plan);
    void step(const session::StepMetrics& metrics, const session::Snapshot& snapshot);
    void activity(const std::string& text); // a passing line, on a terminal only
    void warning(const std::string& text);  // on standard error
    void
    standstill(const std::string& text);   // likewise, and to whoever wants errors only: it waits for what may not come
    void message(const std::string& text); // a line that stays

private:
    void clear();

    Style m_style;
    bool m_lineOpen = false;
};

} // namespace roundpipe::cli
