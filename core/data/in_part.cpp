// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/in_part.h"

namespace roundpipe::data {

std::string inPart(const std::string& text, std::size_t maxBytes) {
    if (text.size() <= maxBytes) return text;
    std::size_t end = maxBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return text.substr(0, end) + "…";
}

std::string inPartOnOneLine(const std::string& text, std::size_t maxBytes) {
    std::string line;
    for (const char c : text) {
        if (line.size() > maxBytes) break;
        const bool isBlank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!isBlank) line += c;
        if (isBlank && !line.empty() && line.back() != ' ') line += ' ';
    }
    return inPart(line, maxBytes);
}

} // namespace roundpipe::data
