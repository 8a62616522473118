// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a text that should be JSON, in words of the file that the user has before them: where, what should
// stand there, and what does. (The parser's own messages name its states, and print what they have read.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roundpipe {

enum class JsonFault : uint8_t {
    kEmpty,
    kEndsEarly,     // a bracket or a quote is never closed
    kNoValue,       // another thing stands where one should begin
    kNoName,        // of a field, in quotes
    kNoColon,       // after it
    kNoComma,       // or '}'
    kNoCommaInList, // or ']'
    kMore,          // behind the end
    kUnquotable,    // a line break, a tab or the like within quotes
    kEscape,        // '\' with what it does not go with
    kNumber,        // larger than any that is read
    kComment,       // where none is taken
};

struct JsonProblem {
    JsonFault fault = JsonFault::kEmpty;
    int64_t line = 1;       // all from 1
    int64_t column = 1;     // characters of the line
    int64_t character = 1;  // of the text
    std::string found = {}; // what stands there: "'}'", "'undefined'", "0x07"; empty at the end

    std::string text() const; // "line 3, column 14: '}' stands where a value should begin"
};

// The first problem of a UTF-8 text; nothing where it is valid JSON. `comments`: // and /* */ are taken as space.
std::optional<JsonProblem> findJsonProblem(std::string_view text, bool comments = false);

// Whether brackets stand in more than `most` others. Who copies or prints what a JSON library has read takes stack for
// each, and a file of brackets alone takes fifty times its size in memory: such a text is refused before it is read.
bool isNestedDeeper(std::string_view json, int most);

// In the middle of a sentence, without a full stop: what a JSON library's exception says of `text`, by the number and
// the message that it has: where the text is no JSON, or which field is missing or of another type than it should be.
std::string wordsForJsonError(int number, std::string_view message, std::string_view text);

} // namespace roundpipe
