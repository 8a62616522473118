// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of rows, read in a third of the library's time. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"

#include <optional>
#include <string>
#include <string_view>

namespace roundpipe::data {

struct ReadJson {
    Json value;
    std::string doubled; // the first field that an object has twice, with two values, of which the last is kept
};

// What Json::parse() gives for the text, of all JSON as it is usually written, and whole numbers beyond 64 bits with
// all their digits (long_number.h). Nothing for what is none, and for what is left to others: text that is not UTF-8,
// one nested deeper than `maxNesting`, objects of more than `maxFields`.
std::optional<ReadJson> readJson(std::string_view text, std::size_t maxNesting, int64_t maxFields);

// How many bytes stand before one that a string of JSON does not hold as it is: a quote, a backslash, a control
// character.
std::size_t bytesBeforeEscape(std::string_view text);

} // namespace roundpipe::data
