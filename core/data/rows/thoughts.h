// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the assistant's reasoning where the model's chat template looks for it. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"
#include "text/tokenizer.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roundpipe::data {

enum class ThoughtPlace {
    kReasoningContent, // the field "reasoning_content" (Qwen3)
    kThinking,         // the field "thinking" (gpt-oss)
    kBracketed, // [THINK]…[/THINK] before the answer, as the template prints parts that are thoughts (Ministral 3)
    kContent,   // <think>…</think> before the answer: what is left for templates that read no such field
};

// The fields in which placeThoughts() may leave a thought.
inline constexpr const char* kThoughtFields[] = {"reasoning_content", "thinking"};

// By the fields that the template's source reads of a message.
ThoughtPlace thoughtPlaceOf(std::string_view templateSource);

// Moves what stands in the field "reasoning_content" of the assistant's messages there; for kThinking and
// kBracketed also a <think>…</think> at the start of a content, which such templates would print as if it were answer.
// `besideCalls`: also into contents beside tool calls.
void placeThoughts(Json& messages, ThoughtPlace place, bool besideCalls = true);

// A content without the brackets of a thought at its start, which are no special tokens that somebody spelled out;
// nothing where there are none.
std::optional<std::string> withoutBrackets(std::string_view content);

// "<think>a</think>b" → a, without the blanks around it, and b as the content; empty where the content begins with
// none.
std::string takeThoughtOutOf(Json& message);

// A content with a thought in it, by the last </think>, as templates split it.
struct SplitContent {
    std::size_t lead = 0;   // where words end that stand before the thought, and are none of it; 0: there are none
    text::Span thought;     // between its tags, without the blanks around it; empty where it thinks nothing
    std::size_t answer = 0; // where what is said begins, behind blanks
};
std::optional<SplitContent> splitContent(std::string_view content); // nothing where it holds none

// What stands before, between and behind tags of thoughts, without the blanks around it: a piece is a thought where the
// next tag closes one. Some templates print the first thought and the last text alone. None where no tag closes one.
struct ContentPiece {
    text::Span span;
    bool isThought = false;
};
std::vector<ContentPiece> piecesOf(std::string_view content);

// Whether an answer has a </think> among its words: behind its own thought, or where it begins with none. Not one that
// stands once, on a line of its own: so end the thoughts of rows whose template opens them.
bool namesThoughtsEnd(std::string_view content);

// A tag behind which no thought ends. `isCertain`: it stands where a thought would, or among others.
struct OpenThought {
    const char* tag;
    const char* closing;
    bool isCertain;
};
std::optional<OpenThought> openThoughtIn(std::string_view content);

// Of a field that holds a thought: without the tags that some put around it; and a closing tag that it has all the
// same, or null.
std::string withoutThoughtTags(std::string_view thought);
const char* closingTagIn(std::string_view thought);

bool beginsWithThought(std::string_view content); // with a tag for one, behind blanks

} // namespace roundpipe::data
