// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/prompt_template.h"

#include "base/error.h"

#include <algorithm>

namespace roundpipe::session {
namespace {

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
    throw invalidInput("'data.prompt_template' is '" + source + "', " + what + ".",
                       "Write columns in braces, for example {question}\\n{schema}; a brace itself is {{ or }}.");
}

} // namespace

std::vector<PromptPiece> parsePromptTemplate(const std::string& source) {
    std::vector<PromptPiece> pieces;
    std::string text;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const char c = source[i];
        const bool isDoubled = i + 1 < source.size() && source[i + 1] == c;
        if (c == '}' && !isDoubled) refuse(source, "in which a '}' closes nothing");
        if ((c != '{' && c != '}') || isDoubled) {
            text += c;
            i += c == '{' || c == '}' ? 1 : 0;
            continue;
        }
        const std::size_t end = source.find_first_of("{}", i + 1);
        if (end == std::string::npos || source[end] != '}') refuse(source, "in which a '{' is never closed");
        if (end == i + 1) refuse(source, "in which braces name no column");
        if (!text.empty()) pieces.push_back({std::move(text), false});
        text.clear();
        pieces.push_back({source.substr(i + 1, end - i - 1), true});
        i = end;
    }
    if (!text.empty()) pieces.push_back({std::move(text), false});
    if (!pieces.empty() && std::ranges::none_of(pieces, &PromptPiece::isColumn))
        refuse(source, "which names no column");
    return pieces;
}

} // namespace roundpipe::session
