// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/json/row_json.h"

#include "base/json_problem.h"
#include "data/in_part.h"
#include "data/row_problem.h"
#include "data/rows/json/json_reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace roundpipe::data {
namespace {

constexpr std::size_t kMaxNesting = 100; // what copies, prints and compares JSON calls itself for every level
constexpr int64_t kMaxFields = 10'000;   // of one object, whose keys are looked up one after another

// Why a text that may be JSON is not even parsed; empty where it can be.
Remark shapeProblem(std::string_view json) {
    const auto opens = [](char c) { return c == '[' || c == '{'; };
    if (std::ranges::count_if(json, opens) <= static_cast<std::ptrdiff_t>(kMaxNesting) &&
        std::ranges::count(json, ':') <= kMaxFields)
        return {};
    std::vector<int64_t> numFields; // of each object and list around
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '"') inString = !inString;
        if (inString && c == '\\') ++i;
        if (inString) continue;
        if (opens(c)) numFields.push_back(0);
        if (numFields.size() > kMaxNesting) return Remark(RowRemark::kNestedTooDeep, kMaxNesting);
        if (numFields.empty()) continue;
        if (c == ':' && ++numFields.back() > kMaxFields) return Remark(RowRemark::kTooManyFields, kMaxFields);
        if (c == ']' || c == '}') numFields.pop_back();
    }
    return {};
}

// A row that is a conversation by itself, with nothing around its turns.
bool isListOfTurns(const Json& row) {
    if (!row.is_array() || row.empty() || !row[0].is_object()) return false;
    return row[0].contains("role") || row[0].contains("from") || row[0].contains("speaker");
}

// Of a text that the parser refuses. An element of a list may begin with what stands before it on its line or lines.
Remark syntaxProblem(const std::string& json) {
    constexpr auto kOfOneLine = static_cast<int>(RowRemark::kJsonEndsEarly) - static_cast<int>(JsonFault::kEndsEarly);
    constexpr auto kOfMore = static_cast<int>(RowRemark::kJsonNoValueInLine) - static_cast<int>(JsonFault::kNoValue);
    static_assert(kOfOneLine + static_cast<int>(JsonFault::kComment) == static_cast<int>(RowRemark::kJsonComment));
    static_assert(kOfMore + static_cast<int>(JsonFault::kComment) == static_cast<int>(RowRemark::kJsonCommentInLine));
    const std::optional<JsonProblem> problem = findJsonProblem(json);
    if (!problem || problem->fault == JsonFault::kEmpty) return Remark(RowRemark::kNoObject);
    const int fault = static_cast<int>(problem->fault);
    const std::size_t begin = json.find_first_not_of(" \t\r\n"), end = json.find_last_not_of(" \t\r\n") + 1;
    const auto first = json.begin() + static_cast<std::ptrdiff_t>(begin);
    const bool isOneLine = std::count(first, json.begin() + static_cast<std::ptrdiff_t>(end), '\n') == 0;
    if (isOneLine || problem->fault == JsonFault::kEndsEarly)
        return Remark(static_cast<RowRemark>(kOfOneLine + fault), problem->column, problem->found);
    const int64_t linesBefore = std::count(json.begin(), first, '\n');
    return Remark(static_cast<RowRemark>(kOfMore + fault), problem->line - linesBefore, problem->column,
                  problem->found);
}

// By the library, where our reader leaves the text to it.
Json parsedSlowly(const std::string& json) {
    if (const Remark problem = shapeProblem(json); !problem.empty()) throw RowProblem(DropReason::kBadRow, problem);
    Json row = Json::parse(json, nullptr, false);
    if (row.is_discarded()) throw RowProblem(DropReason::kBadRow, syntaxProblem(json));
    return row;
}

std::optional<Json> readClearly(const std::string& json) {
    auto read = readJson(json, kMaxNesting, kMaxFields);
    if (!read) return std::nullopt;
    if (!read->doubled.empty())
        throw RowProblem(DropReason::kBadRow, Remark(RowRemark::kFieldTwice, inPartOnOneLine(read->doubled)));
    return std::move(read->value);
}

// Of what our reader leaves to others.
Json parsedOrDiscarded(const std::string& json) {
    return shapeProblem(json).empty() ? Json::parse(json, nullptr, false) : Json(Json::value_t::discarded);
}

} // namespace

Json parseInner(const std::string& json) {
    auto value = readClearly(json);
    return value ? std::move(*value) : parsedOrDiscarded(json);
}

Json parseAny(const std::string& json) {
    auto read = readJson(json, kMaxNesting, kMaxFields);
    return read ? std::move(read->value) : parsedOrDiscarded(json);
}

Json parseRow(const std::string& json) {
    auto read = readClearly(json);
    Json row = read ? std::move(*read) : parsedSlowly(json);
    if (isListOfTurns(row)) return Json{{"messages", std::move(row)}};
    if (!row.is_object()) throw RowProblem(DropReason::kBadRow, Remark(RowRemark::kNoObject));
    return row;
}

} // namespace roundpipe::data
