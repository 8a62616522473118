// SPDX-License-Identifier: GPL-3.0-or-later
// Whole numbers beyond 64 bits, of which the library would make floats: a row keeps their digits, and the model is
// trained on them. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/json/row_json.h"

#include <string>
#include <string_view>

namespace roundpipe::data {

// As a value of the library's kind "binary", which no JSON has; jsonText() writes the digits, dump() something else.
Json longNumber(std::string_view digits);

bool isLongNumber(const Json& value);
std::string digitsOf(const Json& longNumber);

inline bool isNumber(const Json& value) {
    return value.is_number() || isLongNumber(value);
}

// Whether a text is a whole number of JSON: a sign at most, no zeros before other digits.
bool isWholeNumber(std::string_view text);

} // namespace roundpipe::data
