// Puts the assistant's reasoning where the model's chat template looks for it. Internal to this folder (it includes
// nlohmann-json).
#pragma once

#include "data/rows/row_format.h"

#include <string_view>

namespace roundpipe::data {

enum class ThoughtPlace {
    kReasoningContent, // the field "reasoning_content" (Qwen3)
    kThinking,         // the field "thinking" (gpt-oss)
    kContent,          // <think>…</think> before the answer: what is left for templates that read no such field
};

// The fields in which placeThoughts() may leave a thought.
inline constexpr const char* kThoughtFields[] = {"reasoning_content", "thinking"};

// By the fields that the template's source reads of a message.
ThoughtPlace thoughtPlaceOf(std::string_view templateSource);

// Moves what stands in the field "reasoning_content" of the assistant's messages there; for kThinking also a
// <think>…</think> at the start of a content, which such a template would print as if it were answer.
void placeThoughts(Json& messages, ThoughtPlace place);

} // namespace roundpipe::data
