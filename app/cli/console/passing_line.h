// A line on standard error that says how far something is and goes away: standard output holds results and nothing
// else.
#pragma once

#include <string>

namespace roundpipe::cli {

// Shows nothing where standard error is no terminal.
class PassingLine {
public:
    ~PassingLine() { show({}); }
    void show(const std::string& text);

private:
    std::string m_text;
};

} // namespace roundpipe::cli
