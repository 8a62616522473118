// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/json/json_text.h"

#include "data/rows/json/json_reader.h"
#include "data/rows/json/long_number.h"

#include <string_view>

#include <fmt/format.h>

namespace roundpipe::data {
namespace {

std::string escapeOf(char c) {
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    }
}

void appendText(std::string_view text, std::string& out) {
    out += '"';
    while (true) {
        const std::size_t run = bytesBeforeEscape(text);
        out += text.substr(0, run);
        if (run == text.size()) break;
        out += escapeOf(text[run]);
        text.remove_prefix(run + 1);
    }
    out += '"';
}

// Of its texts, where nothing in them is escaped: most of what it takes.
std::size_t sizeOfTexts(const Json& value) {
    constexpr std::size_t kAround = 3; // quotes, and a comma or a colon
    if (value.is_string()) return value.get_ref<const std::string&>().size() + kAround;
    std::size_t size = 2;
    if (value.is_structured())
        for (const auto& item : value.items())
            size += sizeOfTexts(item.value()) + (value.is_object() ? item.key().size() + kAround : 0);
    return size;
}

// `space`: behind commas and colons.
void append(const Json& value, std::string_view space, std::string& out) {
    if (value.is_string()) return appendText(value.get_ref<const std::string&>(), out);
    if (!value.is_structured()) {
        out += isLongNumber(value) ? digitsOf(value) : value.dump();
        return;
    }
    out += value.is_object() ? '{' : '[';
    for (auto item = value.begin(); item != value.end(); ++item) {
        if (item != value.begin()) out.append(",").append(space);
        if (value.is_object()) {
            appendText(item.key(), out);
            out.append(":").append(space);
        }
        append(*item, space, out);
    }
    out += value.is_object() ? '}' : ']';
}

} // namespace

std::string jsonText(const Json& value) {
    std::string text;
    text.reserve(sizeOfTexts(value));
    append(value, "", text);
    return text;
}

std::string spacedJsonText(const Json& value) {
    std::string text;
    append(value, " ", text);
    return text;
}

} // namespace roundpipe::data
