// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/content_parts.h"

#include "data/rows/row_fields.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <string>

namespace roundpipe::data {
namespace {

bool isOneOf(const Json& type, std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return type == name; });
}

// OpenAI's parts have it under the name of their type, LLaMA-Factory's under "value".
const std::string& textOfPart(const Json& part, std::size_t number) {
    const std::string type = part["type"].get<std::string>();
    for (const std::string& key : {type, std::string("value"), std::string("text")})
        if (const Json* text = field(part, key.c_str()); text != nullptr && text->is_string())
            return text->get_ref<const std::string&>();
    throw badRow(RowRemark::kMessagePartNoText, number);
}

// Mistral's thoughts are a list of texts.
std::string thoughtOfPart(const Json& part, std::size_t number) {
    const Json* list = field(part, part["type"].get_ref<const std::string&>().c_str());
    if (list == nullptr || !list->is_array()) return textOfPart(part, number);
    std::string thought;
    for (const Json& piece : *list)
        if (piece.is_string())
            thought += piece.get_ref<const std::string&>();
        else if (piece.is_object() && piece.value("type", Json()) == "text")
            thought += textOfPart(piece, number);
        else
            throw badRow(RowRemark::kMessagePartNoText, number);
    return thought;
}

} // namespace

void joinContentParts(Json& message, std::size_t number) {
    if (message["content"].is_string()) return;
    const Json content = std::move(message["content"]);
    const bool isWhole = message["role"] == "assistant" ? isAnswer(content) : isText(content);
    if (content.is_null() || isWhole) {
        message["content"] = content.is_null() ? Json() : Json(asText(content));
        return;
    }
    if (!content.is_array()) throw badRow(RowRemark::kMessageContent, number);
    std::string text, thought;
    Json calls = Json::array();
    for (const Json& part : content) {
        const Json type = part.is_object() ? part.value("type", Json()) : Json();
        if (type == "text") {
            const std::string& words = textOfPart(part, number);
            if (!calls.empty() && words.find_first_not_of(" \t\r\n") != std::string::npos)
                throw badRow(RowRemark::kMessageTextBehindCall, number); // templates would print it before the call
            text += words;
        } else if (isOneOf(type, {"reasoning", "thinking"}) && (!text.empty() || !calls.empty()))
            throw badRow(RowRemark::kMessageThoughtBehind, number);
        else if (isOneOf(type, {"reasoning", "thinking"}))
            thought += thoughtOfPart(part, number);
        else if (type == "tool_call")
            for (Json& call : callsOf(textOfPart(part, number), number))
                calls.push_back(std::move(call));
        else
            throw badRow(RowRemark::kMessagePartNoText, number);
    }
    message["content"] = std::move(text);
    if (!calls.empty()) message["tool_calls"] = std::move(calls);
    if (thought.empty()) return;
    Json& given = message["reasoning_content"]; // null where there is none
    if (given.is_string() && given != "" && given != thought)
        throw badRow(RowRemark::kMessageTwoThoughts, number, "reasoning_content", "content");
    given = std::move(thought);
}

} // namespace roundpipe::data
