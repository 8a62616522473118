#include "data/rows/row_fields.h"

namespace roundpipe::data {

const Json* field(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string textOf(const Json& row, const char* key) {
    const Json* value = field(row, key);
    if (value == nullptr) return {};
    if (!value->is_string()) throw badRow(RowRemark::kFieldNoText, key);
    return value->get<std::string>();
}

std::string requiredText(const Json& row, const char* key) {
    if (field(row, key) == nullptr) throw badRow(RowRemark::kNoField, key);
    return textOf(row, key);
}

Json listOf(const Json& row, const char* key) {
    const Json* value = field(row, key);
    if (value == nullptr || *value == "") return nullptr;
    Json list = value->is_string() ? parseInner(value->get_ref<const std::string&>()) : *value;
    if (!list.is_array()) throw badRow(RowRemark::kFieldNoList, key);
    return list;
}

} // namespace roundpipe::data
