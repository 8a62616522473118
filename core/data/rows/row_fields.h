// SPDX-License-Identifier: GPL-3.0-or-later
// Type-checked access to the fields of a row. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/row_problem.h"
#include "data/rows/json/row_json.h"

#include <cstdint>
#include <optional>
#include <string>

namespace roundpipe::data {

// badRow(RowRemark::kNoField, "output")
template <class... Arguments>
RowProblem badRow(RowRemark code, Arguments&&... arguments) {
    return {DropReason::kBadRow, Remark(code, std::forward<Arguments>(arguments)...)};
}

const Json* field(const Json& object, const char* key); // null where it is absent or null
bool isText(const Json& value);                         // a string, or a number whose digits are all there
bool isAnswer(const Json& value);                       // a text, or true or false
std::string asText(const Json& value);                  // of those
std::string textOf(const Json& row, const char* key);   // absent and null are empty, as an empty CSV cell is
Json listOf(const Json& row, const char* key);          // also of JSON in a string, as CSV has it; null where absent
Json takeList(Json& row, const char* key);              // the same, out of the row
std::optional<int64_t> firstWrongIn(const std::string& json); // the character, from 1, with which it stops being JSON
std::string requiredText(const Json& row, const char* key);
std::string requiredAnswer(const Json& row, const char* key);
std::string withoutBlanksAround(const std::string& text);
std::string lowered(std::string text); // letters of A to Z

} // namespace roundpipe::data
