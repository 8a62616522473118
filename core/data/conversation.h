// One row as a conversation in OpenAI's form, whatever its format. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/options.h"
#include "data/row_problem.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::data {

using Json = nlohmann::ordered_json; // templates print objects in the order of their keys

struct Conversation {
    Json messages;                       // an array; contents are strings or null
    Json tools;                          // an array, or null
    std::vector<std::size_t> assistants; // indices of the assistant's messages
    std::vector<bool> wanted;            // of each of them: not switched off by the row itself
    bool hasParsedArguments = false;     // of tool calls, which the row has as JSON in strings
    // Where the completion begins in rows that have one; else it is what comes after the last message of a user.
    std::optional<std::size_t> completion = std::nullopt;
};

Json parseRow(const std::string& json); // throws RowProblem unless it is an object
// `format`: kMessages or kAlpaca. Tool calls' arguments in strings become objects, unless they are wanted as given.
// Throws RowProblem.
enum class Arguments { kParsed, kAsGiven };
Conversation conversationOf(const Json& row, Format format, Arguments arguments = Arguments::kParsed);

// kMessages, kAlpaca, or kAuto where the fields are those of neither; `advice` then says what was found.
Format sniffFormat(const Json& row, std::string& advice);

} // namespace roundpipe::data
