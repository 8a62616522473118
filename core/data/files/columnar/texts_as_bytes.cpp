// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/columnar/texts_as_bytes.h"

#include <arrow/extension_type.h>
#include <arrow/type.h>

#include <algorithm>

namespace roundpipe::columnar {
namespace {

// Of the type, which has these parts now.
std::shared_ptr<arrow::DataType> withParts(const arrow::DataType& type, const arrow::ArrayData& parts) {
    arrow::FieldVector fields = type.fields();
    for (std::size_t i = 0; i < std::min(fields.size(), parts.child_data.size()); ++i)
        fields[i] = fields[i]->WithType(parts.child_data[i]->type);
    switch (type.id()) {
    case arrow::Type::LIST:
    case arrow::Type::MAP: // lies in memory as a list of structs
        return arrow::list(fields[0]);
    case arrow::Type::LARGE_LIST:
        return arrow::large_list(fields[0]);
    case arrow::Type::FIXED_SIZE_LIST:
        return arrow::fixed_size_list(fields[0], static_cast<const arrow::FixedSizeListType&>(type).list_size());
    default:
        return arrow::struct_(fields);
    }
}

} // namespace

std::shared_ptr<arrow::ArrayData> textsAsBytes(const arrow::ArrayData& column) {
    const std::shared_ptr<arrow::ArrayData> bytes = column.Copy();
    const arrow::DataType& type = *column.type;
    switch (type.id()) {
    case arrow::Type::STRING:
        bytes->type = arrow::binary();
        break;
    case arrow::Type::LARGE_STRING:
        bytes->type = arrow::large_binary();
        break;
    case arrow::Type::STRING_VIEW:
        bytes->type = arrow::binary_view();
        break;
    case arrow::Type::LIST:
    case arrow::Type::MAP:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::STRUCT:
        for (auto& part : bytes->child_data)
            part = textsAsBytes(*part);
        bytes->type = withParts(type, *bytes);
        break;
    case arrow::Type::DICTIONARY: {
        const auto& coded = static_cast<const arrow::DictionaryType&>(type);
        bytes->dictionary = textsAsBytes(*column.dictionary);
        bytes->type = arrow::dictionary(coded.index_type(), bytes->dictionary->type, coded.ordered());
        break;
    }
    case arrow::Type::EXTENSION:
        bytes->type = static_cast<const arrow::ExtensionType&>(type).storage_type();
        return textsAsBytes(*bytes);
    default:
        break;
    }
    return bytes;
}

} // namespace roundpipe::columnar
