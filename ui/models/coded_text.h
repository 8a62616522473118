// SPDX-License-Identifier: GPL-3.0-or-later
// What core says as codes with arguments, in the user's words. The spellings are the sources of translations:
// ui/translations/core_texts.cpp prints them.
#pragma once

#include "base/coded_text.h"

#include <QString>

namespace roundpipe::ui::models {

// `context`: under which core_texts.cpp prints the spellings. Empty where nothing is said.
QString wordsOf(const char* context, const char* english, const std::vector<std::string>& arguments);
template <class Code>
QString wordsOf(const char* context, const CodedText<Code>& text) {
    return text.empty() ? QString() : wordsOf(context, spellingOf(text.code), text.arguments);
}

} // namespace roundpipe::ui::models
