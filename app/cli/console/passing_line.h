// SPDX-License-Identifier: GPL-3.0-or-later
// A line on standard error that says how far something is and goes away: standard output holds results and nothing
// else.
#pragma once

#include <cstdint>
#include <string>

namespace roundpipe::cli {

// Shows nothing where standard error is no terminal.
class PassingLine {
public:
    ~PassingLine() { show({}); }
    void show(const std::string& text);
    void say(const std::string& text);                   // shows it; where it would be nothing, a line that stays
    void showRowsRead(int64_t numRows, double fraction); // of a data file

private:
    std::string m_text;
};

} // namespace roundpipe::cli
