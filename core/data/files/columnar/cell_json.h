// SPDX-License-Identifier: GPL-3.0-or-later
// Arrow's cells as JSON. Only this folder sees Arrow.
#pragma once

#include <arrow/array.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace roundpipe::columnar {

// A cell that is no text though its column says so; what() completes "row 7 …".
class BadCell : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Structs become objects, lists and maps arrays, dates and decimals their text, NaN and bytes that are no UTF-8 null.
// `column` is named in the error ("messages.content").
nlohmann::ordered_json cellJson(const arrow::Array& array, int64_t row, const std::string& column);

} // namespace roundpipe::columnar
