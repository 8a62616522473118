#include "data/rows/row_fields.h"

#include <fmt/format.h>

namespace roundpipe::data {

RowProblem badRow(const std::string& text) {
    return {DropReason::kBadRow, text};
}

const Json* field(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string textOf(const Json& row, const char* key) {
    const Json* value = field(row, key);
    if (value == nullptr) return {};
    if (!value->is_string()) throw badRow(fmt::format("has a field '{}' that is not a string", key));
    return value->get<std::string>();
}

std::string requiredText(const Json& row, const char* key) {
    if (field(row, key) == nullptr) throw badRow(fmt::format("has no field '{}'", key));
    return textOf(row, key);
}

Json listOf(const Json& row, const char* key) {
    const Json* value = field(row, key);
    if (value == nullptr || *value == "") return nullptr;
    Json list = value->is_string() ? parseInner(value->get_ref<const std::string&>()) : *value;
    if (!list.is_array()) throw badRow(fmt::format("has a field '{}' that is not a list", key));
    return list;
}

} // namespace roundpipe::data
