// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/named_field.h"

namespace roundpipe::session {
namespace {

bool isOfName(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

// Where it stands as a name of its own: "--chat-template" is not in "--chat-template-args".
std::size_t findName(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool begins = at == 0 || (!isOfName(text[at - 1]) && text[at - 1] != '.');
        const bool goesOn =
            end < text.size() &&
            (isOfName(text[end]) || (text[end] == '.' && end + 1 < text.size() && isOfName(text[end + 1])));
        if (begins && !goesOn) return at;
    }
    return std::string_view::npos;
}

} // namespace

const Field* fieldNamedIn(std::string_view text) {
    const Field* first = nullptr;
    std::size_t place = std::string_view::npos;
    const auto take = [&](const Field& field, std::string_view name) {
        const std::size_t at = findName(text, name);
        if (at >= place) return;
        place = at;
        first = &field;
    };
    for (const Field& field : runSpecFields()) {
        if (field.key.find('.') != std::string::npos) take(field, field.key);
        if (!field.option.empty()) take(field, field.option);
    }
    return first;
}

} // namespace roundpipe::session
