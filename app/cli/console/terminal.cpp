// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/terminal.h"

#include <cstdlib>
#include <unistd.h>

#include <fmt/format.h>

namespace roundpipe::cli {

bool ColourChoice::wanted() const {
    if (always) return true;
    const char* disabled = std::getenv("NO_COLOR");
    if (never || (disabled != nullptr && *disabled != '\0')) return false;
    return ::isatty(STDOUT_FILENO) != 0;
}

std::string styled(std::string_view text, std::string_view attributes, bool colours) {
    return colours ? fmt::format("\033[{}m{}\033[0m", attributes, text) : std::string(text);
}

std::string grouped(int64_t number) {
    if (number < 0) return "-" + grouped(-number);
    return number < 1000 ? std::to_string(number) : fmt::format("{},{:03}", grouped(number / 1000), number % 1000);
}

std::string percentOf(int64_t part, int64_t all) {
    if (all == 0) return "0 %";
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
    return part == 0 ? "0 %" : percent < 0.1 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.1f} %", percent);
}

} // namespace roundpipe::cli
