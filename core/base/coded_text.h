// SPDX-License-Identifier: GPL-3.0-or-later
// A text as a code with arguments: whoever shows it words it in the reader's language. The spelling of the code is its
// English, with %1, %2, … where the arguments stand.
#pragma once

#include "base/spelling.h"

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe {

// `words` with its %1, %2, … replaced; an argument that holds a %1 itself stays as it is.
std::string withArguments(const char* words, const std::vector<std::string>& arguments);

// Code{} says nothing.
template <Spelled Code>
struct CodedText {
    Code code{};
    std::vector<std::string> arguments;

    CodedText() = default;
    template <class... Arguments>
    explicit CodedText(Code said, Arguments&&... with)
        : code(said), arguments{textOf(std::forward<Arguments>(with))...} {}

    bool empty() const { return code == Code{}; }
    std::string text() const { return withArguments(spellingOf(code), arguments); } // in English
    bool operator==(const CodedText&) const = default;

private:
    static std::string textOf(std::string text) { return text; }
    static std::string textOf(std::integral auto number) { return std::to_string(number); }
};

} // namespace roundpipe
