// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/passing_line.h"

#include "console/terminal.h"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace roundpipe::cli {

void PassingLine::show(const std::string& text) {
    if (text == m_text || ::isatty(STDERR_FILENO) == 0) return;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
    m_text = text;
}

void PassingLine::say(const std::string& text) {
    if (::isatty(STDERR_FILENO) != 0) return show(text);
    std::fprintf(stderr, "%s\n", text.c_str());
}

void PassingLine::showRowsRead(int64_t numRows, double fraction) {
    show(fmt::format("reading rows: {} ({:.0f} %)", grouped(numRows), 100 * fraction));
}

} // namespace roundpipe::cli
