// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/driver/driver_version.h"

#include <algorithm>

namespace roundpipe::device {

std::optional<std::string> parseDriverVersion(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t end = std::min(line.find_first_of(" \t", i), line.size());
        const std::string_view word = line.substr(i, end - i);
        const std::size_t dot = word.find('.');
        if (dot != std::string_view::npos && dot > 0 && word.find_first_not_of("0123456789.") == std::string_view::npos)
            return std::string(word);
        i = end + 1;
    }
    return std::nullopt;
}

} // namespace roundpipe::device
