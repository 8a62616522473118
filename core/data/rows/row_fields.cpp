// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/row_fields.h"

#include "base/json_problem.h"
#include "data/rows/json/json_text.h"
#include "data/rows/json/long_number.h"

#include <cmath>
#include <utility>

namespace roundpipe::data {
namespace {

bool looksLikeJson(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && (text[first] == '[' || text[first] == '{');
}

Json asList(Json value, const char* key) {
    if (value == "") return nullptr;
    Json list = value.is_string() ? parseInner(value.get_ref<const std::string&>()) : std::move(value);
    if (list.is_discarded() && looksLikeJson(value.get_ref<const std::string&>()))
        if (const auto wrong = firstWrongIn(value.get_ref<const std::string&>())) // else it is nested too deep
            throw badRow(RowRemark::kFieldNoJson, key, *wrong);
    if (!list.is_array()) throw badRow(RowRemark::kFieldNoList, key);
    return list;
}

} // namespace

const Json* field(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

bool isText(const Json& value) {
    constexpr double kExact = 1e15; // beyond it a fraction may have lost digits on its way
    return value.is_string() || value.is_number_integer() || isLongNumber(value) ||
           (value.is_number_float() && std::abs(value.get<double>()) < kExact);
}

bool isAnswer(const Json& value) {
    return isText(value) || value.is_boolean();
}

std::string asText(const Json& value) {
    return value.is_string() ? value.get<std::string>() : jsonText(value);
}

std::string textOf(const Json& row, const char* key) {
    const Json* value = field(row, key);
    if (value == nullptr) return {};
    if (!isText(*value)) throw badRow(RowRemark::kFieldNoText, key);
    return asText(*value);
}

std::optional<int64_t> firstWrongIn(const std::string& json) {
    const auto problem = findJsonProblem(json);
    return problem ? std::optional(problem->character) : std::nullopt;
}

std::string requiredText(const Json& row, const char* key) {
    if (field(row, key) == nullptr) throw badRow(RowRemark::kNoField, key);
    return textOf(row, key);
}

std::string requiredAnswer(const Json& row, const char* key) {
    const Json* value = field(row, key);
    return value != nullptr && value->is_boolean() ? asText(*value) : requiredText(row, key);
}

std::string withoutBlanksAround(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

std::string lowered(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

Json listOf(const Json& row, const char* key) {
    const Json* value = field(row, key);
    return value == nullptr ? Json() : asList(*value, key);
}

Json takeList(Json& row, const char* key) {
    const auto value = row.find(key);
    return value == row.end() || value->is_null() ? Json() : asList(std::move(*value), key);
}

} // namespace roundpipe::data
