// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/conversation.h"

#include "base/error.h"
#include "data/in_part.h"
#include "data/rows/json/json_text.h"
#include "data/rows/message_list.h"
#include "data/rows/row_fields.h"

#include <algorithm>
#include <string_view>

namespace roundpipe::data {
namespace {

void addMessages(Json& row, const char* key, MessageList& list) {
    Json turns = takeList(row, key);
    if (turns.is_null() || turns.empty()) throw badRow(RowRemark::kNoListField, key);
    list.addTurns(std::move(turns));
    list.setTools(row);
}

void addHistory(const Json& row, MessageList& list) {
    for (const Json& turn : listOf(row, "history")) {
        if (!turn.is_array() || turn.size() != 2 || !turn[0].is_string() || !turn[1].is_string())
            throw badRow(RowRemark::kHistoryNoPairs);
        list.addText("user", turn[0]);
        list.addText("assistant", turn[1]);
    }
}

void addAlpaca(const Json& row, MessageList& list) {
    const std::string instruction = requiredText(row, "instruction"), output = requiredText(row, "output");
    addHistory(row, list);
    const std::string input = textOf(row, "input");
    list.addText("user", instruction + (input.empty() ? "" : "\n" + input));
    list.addText("assistant", output);
}

// One side of prompt/completion: a string, a message, or a list of messages.
void addSide(const Json& row, const char* key, const char* role, MessageList& list) {
    const Json* side = field(row, key);
    if (side == nullptr) throw badRow(RowRemark::kNoField, key);
    if (isText(*side))
        list.addText(role, asText(*side));
    else if (side->is_array() || side->is_object())
        list.addTurns(side->is_array() ? *side : Json::array({*side}));
    else
        throw badRow(RowRemark::kFieldNoTextNoMessages, key);
}

void addPromptAndCompletion(const Json& row, MessageList& list) {
    addSide(row, "prompt", "user", list);
    list.beginCompletion();
    addSide(row, "completion", "assistant", list);
    list.setTools(row);
}

void refuseOtherMedia(const Json& row) {
    for (const char* key : {"image", "images", "videos", "audios"})
        if (const Json* media = field(row, key); media != nullptr && !media->empty() && *media != "")
            throw badRow(RowRemark::kOnlyTextIsTrained, key);
}

std::optional<bool> numberAsTag(const Json& tag) {
    if (tag == 1) return true;
    return tag == 0 || tag == -1 ? std::optional(false) : std::nullopt;
}

// As tables and scripts write it, too. Nothing for what says neither.
std::optional<bool> answerIsGood(const Json& tag, DataFormat format) {
    if (tag.is_boolean()) return tag.get<bool>();
    // Beside a text alone stands the number of a class, as a rule.
    if (tag.is_number()) return format == DataFormat::kText ? std::nullopt : numberAsTag(tag);
    if (!tag.is_string()) return std::nullopt;
    constexpr std::string_view kNo[] = {"false", "0", "0.0", "-1", "-1.0", "no", "bad", "rejected", "undesirable"};
    constexpr std::string_view kYes[] = {"true", "1", "1.0", "yes", "good", "chosen", "desirable"};
    std::string word = tag.get<std::string>();
    word.erase(0, word.find_first_not_of(" \t\r\n")); // tables have blanks beside it
    word.erase(word.find_last_not_of(" \t\r\n") + 1);
    const bool isNumber = !word.empty() && (word[0] == '-' || (word[0] >= '0' && word[0] <= '9'));
    if (isNumber && format == DataFormat::kText) return std::nullopt;
    std::ranges::transform(word, word.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (std::ranges::find(kNo, word) != std::end(kNo)) return false;
    return std::ranges::find(kYes, word) == std::end(kYes) ? std::nullopt : std::optional(true);
}

void refuseRejected(const Json& row, DataFormat format) {
    for (const char* key : kAnswerTags)
        if (const Json* tag = field(row, key); tag != nullptr && answerIsGood(*tag, format) == false)
            throw RowProblem(DropReason::kRejected,
                             Remark(RowRemark::kAnswerRejected, key, inPartOnOneLine(jsonText(*tag))));
}

PlainText segmentsOf(const Json& row) {
    const Json segments = listOf(row, "segments");
    if (segments.is_null() || segments.empty()) throw badRow(RowRemark::kNoListField, "segments");
    PlainText result{{}, false, false};
    for (const Json& segment : segments) {
        const std::size_t number = result.pieces.size() + 1;
        const Json* label = segment.is_object() ? field(segment, "label") : nullptr;
        const Json* text = segment.is_object() ? field(segment, "text") : nullptr;
        if (text == nullptr || !text->is_string()) throw badRow(RowRemark::kSegmentWithoutText, number);
        if (label == nullptr || (!label->is_boolean() && *label != 0 && *label != 1))
            throw badRow(RowRemark::kSegmentLabel, number);
        result.pieces.push_back({*text, *label == true || *label == 1});
    }
    return result;
}

PlainText textPassage(const Json& row) {
    PlainText result;
    result.pieces.push_back({requiredText(row, "text"), true});
    result.isWhole = row.value("continues", Json()) != true;
    if (result.pieces[0].text.empty()) throw badRow(RowRemark::kFieldEmpty, "text");
    return result;
}

PlainText promptAndCompletion(const Json& row) {
    PlainText result;
    result.pieces = {{requiredText(row, "prompt"), false}, {requiredText(row, "completion"), true}};
    if (result.pieces[1].text.empty()) throw badRow(RowRemark::kFieldEmpty, "completion");
    return result;
}

} // namespace

bool tellsGoodFromBad(const Json& row, const char* column, DataFormat format) {
    const Json* tag = field(row, column);
    return tag != nullptr && answerIsGood(*tag, format).has_value();
}

Conversation conversationOf(Json row, const RowFormat& format, Arguments arguments) {
    refuseOtherMedia(row);
    refuseRejected(row, format.kind);
    MessageList list(arguments);
    switch (format.kind) {
    case DataFormat::kMessages:
        addMessages(row, "messages", list);
        break;
    case DataFormat::kShareGpt:
        addMessages(row, "conversations", list);
        break;
    case DataFormat::kAlpaca:
        addAlpaca(row, list);
        break;
    case DataFormat::kCompletion:
        addPromptAndCompletion(row, list);
        break;
    case DataFormat::kAuto:
    case DataFormat::kText:
    case DataFormat::kSegments:
        failCheck("a format that is a chat", __FILE__, __LINE__);
    }
    list.useSystem(textOf(row, "system"), format.system);
    return list.take();
}

std::optional<PlainText> plainTextOf(const Json& row, const RowFormat& format) {
    const auto hasText = [&](const char* key) { return field(row, key) == nullptr || isText(*field(row, key)); };
    const bool isPlainCompletion = format.kind == DataFormat::kCompletion && hasText("prompt") && hasText("completion");
    if (format.kind != DataFormat::kText && format.kind != DataFormat::kSegments && !isPlainCompletion)
        return std::nullopt;
    if (!format.system.text.empty()) throw badRow(RowRemark::kNoPlaceForSystemPrompt);
    refuseRejected(row, format.kind);
    if (format.kind == DataFormat::kText) return textPassage(row);
    return format.kind == DataFormat::kSegments ? segmentsOf(row) : promptAndCompletion(row);
}

} // namespace roundpipe::data
