// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/conversation.h"

#include "base/error.h"
#include "data/rows/answer_tags.h"
#include "data/rows/message_list.h"
#include "data/rows/row_fields.h"

#include <algorithm>
#include <string_view>

namespace roundpipe::data {
namespace {

void addMessages(Json& row, const char* key, MessageList& list) {
    Json turns = takeList(row, key);
    if (turns.is_null()) throw badRow(RowRemark::kNoListField, key);
    if (turns.empty()) throw badRow(RowRemark::kFieldEmpty, key);
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
    const std::string instruction = requiredText(row, "instruction"), output = requiredAnswer(row, "output");
    addHistory(row, list);
    const std::string input = textOf(row, "input");
    list.addText("user", instruction + (instruction.empty() || input.empty() ? "" : "\n") + input);
    list.addText("assistant", output);
}

// One side of prompt/completion: a string, a message, or a list of messages.
void addSide(const Json& row, const char* key, const char* role, MessageList& list) {
    const Json* side = field(row, key);
    if (side == nullptr) throw badRow(RowRemark::kNoField, key);
    const bool areMessages = side->is_object() || (side->is_array() && std::ranges::all_of(*side, &Json::is_object));
    if (side->is_array() && side->empty()) throw badRow(RowRemark::kFieldEmpty, key);
    if (isText(*side) || (isAnswer(*side) && role == std::string_view("assistant")))
        list.addText(role, asText(*side));
    else if (areMessages)
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

PlainText segmentsOf(const Json& row) {
    const Json segments = listOf(row, "segments");
    if (segments.is_null()) throw badRow(RowRemark::kNoListField, "segments");
    if (segments.empty()) throw badRow(RowRemark::kFieldEmpty, "segments");
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
    result.pieces = {{requiredText(row, "prompt"), false}, {requiredAnswer(row, "completion"), true}};
    if (result.pieces[1].text.empty()) throw badRow(RowRemark::kFieldEmpty, "completion");
    return result;
}

// What a row lacks, by the name that its people know: the column's, where one is read for the field.
RowProblem byColumn(const RowProblem& problem, const RowFormat& format) {
    constexpr RowRemark kOfFields[] = {
        RowRemark::kNoField,    RowRemark::kFieldNoText,           RowRemark::kFieldNoList, RowRemark::kFieldNoJson,
        RowRemark::kFieldEmpty, RowRemark::kFieldNoTextNoMessages, RowRemark::kNoListField};
    Remark remark = problem.remark();
    if (std::ranges::find(kOfFields, remark.code) == std::end(kOfFields)) return problem;
    const auto choice = std::ranges::find(format.columns, remark.arguments.front(), &session::ColumnChoice::field);
    if (choice != format.columns.end() && !choice->column.empty()) remark.arguments.front() = choice->column;
    return {problem.reason(), std::move(remark)};
}

Conversation chatOf(Json row, const RowFormat& format, Arguments arguments) {
    refuseOtherMedia(row);
    refuseUnwanted(row, format.kind);
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

PlainText piecesOf(const Json& row, DataFormat format) {
    refuseUnwanted(row, format);
    if (format == DataFormat::kText) return textPassage(row);
    return format == DataFormat::kSegments ? segmentsOf(row) : promptAndCompletion(row);
}

} // namespace

Conversation conversationOf(Json row, const RowFormat& format, Arguments arguments) {
    try {
        return chatOf(std::move(row), format, arguments);
    } catch (const RowProblem& problem) {
        throw byColumn(problem, format);
    }
}

std::optional<PlainText> plainTextOf(const Json& row, const RowFormat& format) {
    const auto isOf = [&](const char* key, bool (*is)(const Json&)) {
        return field(row, key) == nullptr || is(*field(row, key));
    };
    const bool isPlainCompletion =
        format.kind == DataFormat::kCompletion && isOf("prompt", isText) && isOf("completion", isAnswer);
    if (format.kind != DataFormat::kText && format.kind != DataFormat::kSegments && !isPlainCompletion)
        return std::nullopt;
    if (!format.system.text.empty()) throw badRow(RowRemark::kNoPlaceForSystemPrompt);
    try {
        return piecesOf(row, format.kind);
    } catch (const RowProblem& problem) {
        throw byColumn(problem, format);
    }
}

} // namespace roundpipe::data
