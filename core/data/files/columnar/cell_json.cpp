// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/columnar/cell_json.h"

#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/util/utf8.h>

#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace roundpipe::columnar {
namespace {

using Json = nlohmann::ordered_json;

bool isUtf8(std::string_view text) {
    [[maybe_unused]] static const bool isReady = (arrow::util::InitializeUTF8(), true);
    return arrow::util::ValidateUTF8(text);
}

// Where the first byte stands that no whole character starts with, of a text that is no UTF-8: Arrow does not say.
std::size_t firstInvalid(std::string_view text) {
    constexpr std::size_t kLongestCharacter = 4;
    std::size_t place = 0;
    for (std::size_t length = 1; length <= kLongestCharacter; ++length) {
        if (!isUtf8(text.substr(place, length))) continue;
        place += length;
        length = 0;
    }
    return place;
}

Json textJson(std::string_view text, const std::string& column) {
    if (isUtf8(text)) return text;
    const std::size_t invalid = firstInvalid(text);
    char problem[96];
    std::snprintf(problem, sizeof problem, "is not valid UTF-8: byte 0x%02x at position %zu of column '",
                  static_cast<unsigned>(static_cast<unsigned char>(text[invalid])), invalid + 1);
    throw BadCell(problem + column + "'");
}

Json bytesJson(std::string_view bytes) {
    return isUtf8(bytes) ? Json(bytes) : Json();
}

Json realJson(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

template <class List>
Json listJson(const arrow::Array& array, int64_t row, const std::string& column) {
    const auto& list = static_cast<const List&>(array);
    Json items = Json::array();
    const int64_t begin = list.value_offset(row);
    const int64_t end = begin + list.value_length(row);
    for (int64_t i = begin; i < end; ++i)
        items.push_back(cellJson(*list.values(), i, column));
    return items;
}

Json structJson(const arrow::Array& array, int64_t row, const std::string& column) {
    const auto& fields = static_cast<const arrow::StructArray&>(array);
    Json object = Json::object();
    for (int i = 0; i < fields.num_fields(); ++i) {
        const std::string& name = fields.type()->field(i)->name();
        Json value = cellJson(*fields.field(i), row, column + "." + name);
        if (!value.is_null()) object[name] = std::move(value); // each has the fields of all: what it lacks is null
    }
    return object;
}

template <class Array>
auto valueOf(const arrow::Array& array, int64_t row) {
    return static_cast<const Array&>(array).GetView(row);
}

Json otherJson(const arrow::Array& array, int64_t row, const std::string& column) { // dates, times, decimals, …
    const auto scalar = array.GetScalar(row);
    if (!scalar.ok()) throw BadCell("cannot be read in column '" + column + "': " + scalar.status().message());
    return textJson((*scalar)->ToString(), column);
}

} // namespace

Json cellJson(const arrow::Array& array, int64_t row, const std::string& column) {
    if (array.IsNull(row)) return nullptr;
    switch (array.type_id()) {
    case arrow::Type::BOOL:
        return valueOf<arrow::BooleanArray>(array, row);
    case arrow::Type::INT8:
        return valueOf<arrow::Int8Array>(array, row);
    case arrow::Type::INT16:
        return valueOf<arrow::Int16Array>(array, row);
    case arrow::Type::INT32:
        return valueOf<arrow::Int32Array>(array, row);
    case arrow::Type::INT64:
        return valueOf<arrow::Int64Array>(array, row);
    case arrow::Type::UINT8:
        return valueOf<arrow::UInt8Array>(array, row);
    case arrow::Type::UINT16:
        return valueOf<arrow::UInt16Array>(array, row);
    case arrow::Type::UINT32:
        return valueOf<arrow::UInt32Array>(array, row);
    case arrow::Type::UINT64:
        return valueOf<arrow::UInt64Array>(array, row);
    case arrow::Type::FLOAT:
        return realJson(static_cast<double>(valueOf<arrow::FloatArray>(array, row)));
    case arrow::Type::DOUBLE:
        return realJson(valueOf<arrow::DoubleArray>(array, row));
    case arrow::Type::STRING:
        return textJson(valueOf<arrow::StringArray>(array, row), column);
    case arrow::Type::LARGE_STRING:
        return textJson(valueOf<arrow::LargeStringArray>(array, row), column);
    case arrow::Type::STRING_VIEW:
        return textJson(valueOf<arrow::StringViewArray>(array, row), column);
    case arrow::Type::BINARY:
        return bytesJson(valueOf<arrow::BinaryArray>(array, row));
    case arrow::Type::LARGE_BINARY:
        return bytesJson(valueOf<arrow::LargeBinaryArray>(array, row));
    case arrow::Type::FIXED_SIZE_BINARY:
        return bytesJson(valueOf<arrow::FixedSizeBinaryArray>(array, row));
    case arrow::Type::LIST:
    case arrow::Type::MAP:
        return listJson<arrow::ListArray>(array, row, column);
    case arrow::Type::LARGE_LIST:
        return listJson<arrow::LargeListArray>(array, row, column);
    case arrow::Type::FIXED_SIZE_LIST:
        return listJson<arrow::FixedSizeListArray>(array, row, column);
    case arrow::Type::STRUCT:
        return structJson(array, row, column);
    case arrow::Type::DICTIONARY: {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(array);
        return cellJson(*coded.dictionary(), coded.GetValueIndex(row), column);
    }
    case arrow::Type::EXTENSION:
        return cellJson(*static_cast<const arrow::ExtensionArray&>(array).storage(), row, column);
    default:
        return otherJson(array, row, column);
    }
}

} // namespace roundpipe::columnar
