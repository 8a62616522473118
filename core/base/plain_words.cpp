// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_words.h"

#include <algorithm>
#include <string_view>

namespace roundpipe {
namespace {

bool isLetterOrDigit(char c) { // whatever the locale
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

} // namespace

std::string shellWord(const std::string& text) {
    const auto isPlain = [](char c) {
        return isLetterOrDigit(c) || std::string_view("_-./=,:@%+").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, isPlain)) return text;
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string plainName(const std::string& name) {
    std::string plain;
    bool isApart = false; // from the letter before
    for (const char c : name) {
        if (!isLetterOrDigit(c)) {
            isApart = true;
            continue;
        }
        if (isApart && !plain.empty()) plain += '-';
        isApart = false;
        plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return plain.empty() ? "tuned" : plain;
}

bool hasControlCharacters(const std::string& text) {
    return std::ranges::any_of(text, [](unsigned char c) { return c < 32 || c == 127; });
}

} // namespace roundpipe
