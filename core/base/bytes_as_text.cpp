// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/bytes_as_text.h"

#include <cwchar>
#include <locale>

namespace roundpipe {
namespace {

// How many of the first bytes are UTF-8 as the standard library says, which takes surrogates for characters.
std::size_t lengthOfUtf8(std::string_view bytes) {
    const auto& utf8 = std::use_facet<std::codecvt<char32_t, char8_t, std::mbstate_t>>(std::locale::classic());
    const auto* const begin = reinterpret_cast<const char8_t*>(bytes.data());
    std::mbstate_t state{};
    return static_cast<std::size_t>(utf8.length(state, begin, begin + bytes.size(), bytes.size()));
}

bool isSurrogate(std::string_view character) {
    return character[0] == '\xed' && static_cast<unsigned char>(character[1]) >= 0xa0;
}

// One that stands for a byte.
bool isEscape(std::string_view character) {
    return character.starts_with("\xf4\x8f\xbe") || character.starts_with("\xf4\x8f\xbf");
}

void putEscape(std::string& text, char byte) {
    const auto bits = static_cast<unsigned char>(byte);
    text += {'\xf4', '\x8f', bits < 0xc0 ? '\xbe' : '\xbf', static_cast<char>(0x80 | (bits & 0x3f))};
}

} // namespace

std::string asText(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    std::size_t i = 0;
    while (i < bytes.size()) {
        const std::size_t end = i + lengthOfUtf8(bytes.substr(i));
        while (i < end) {
            const std::string_view rest = bytes.substr(i, end - i);
            std::size_t numForeign = isSurrogate(rest) ? 3 : isEscape(rest) ? 4 : 0;
            if (numForeign == 0) text += bytes[i++];
            for (; numForeign > 0; --numForeign)
                putEscape(text, bytes[i++]);
        }
        if (i < bytes.size()) putEscape(text, bytes[i++]);
    }
    return text;
}

std::string bytesOf(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        const bool escaped = rest.size() >= 4 && isEscape(rest);
        bytes += escaped ? static_cast<char>((rest[2] == '\xbe' ? 0x80 : 0xc0) | (rest[3] & 0x3f)) : rest[0];
        i += escaped ? 4 : 1;
    }
    return bytes;
}

} // namespace roundpipe
