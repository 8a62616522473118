// SPDX-License-Identifier: GPL-3.0-or-later
// One row as a conversation in OpenAI's form, or as plain text, whatever its format. Internal to this folder (it
// includes nlohmann-json).
#pragma once

#include "data/options.h"
#include "data/row_problem.h"
#include "data/rows/json/row_json.h"

#include <optional>
#include <string>
#include <vector>

namespace roundpipe::data {

struct Conversation {
    Json messages = Json::array();         // contents are strings or null
    Json tools = nullptr;                  // an array, or null
    std::vector<std::size_t> assistants{}; // indices of the assistant's messages
    std::vector<bool> wanted{};            // of each of them: not switched off by the row itself
    bool hasObjectArguments = false;       // of tool calls, once those that are JSON in strings were parsed
    bool leavesOutSystem = false;          // of its column, as its messages begin with a system's own words
    // Messages that say who speaks, or what is said, by another name too, and otherwise.
    std::vector<std::size_t> contradicted{};
    std::vector<std::size_t> openThoughts{}; // messages with a <think> in their midst that nothing closes
    // Where the completion begins in rows that have one; else it is what comes after the last message of a user.
    std::optional<std::size_t> completion = std::nullopt;
};

// Pieces of text one directly after the other, without a chat template.
struct PlainText {
    struct PlainPiece {
        std::string text;
        bool isTrained = true;
    };
    std::vector<PlainPiece> pieces;
    bool takesBos = true; // what the tokenizer puts before a text; segments bring their own
    bool isWhole = true;  // EOS follows, trained; else the text goes on elsewhere, or brings its own
};

// Tool calls' arguments: those in strings become objects; as the row has them; objects become JSON in strings.
enum class Arguments { kParsed, kAsGiven, kAsTexts };

// Of rows that are a chat: `format` is kMessages, kShareGpt, kAlpaca, or kCompletion with messages. `row` has its
// columns mapped. A thought becomes the field "reasoning_content", whatever it was called. Throws RowProblem.
Conversation conversationOf(Json row, const RowFormat& format, Arguments arguments = Arguments::kParsed);

// Of rows that are none: kText, kSegments, kCompletion with strings. Nothing for the others. Throws RowProblem.
std::optional<PlainText> plainTextOf(const Json& row, const RowFormat& format);

} // namespace roundpipe::data
