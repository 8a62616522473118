// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/whole_number.h"

#include <nlohmann/json.hpp>

#include <string>

namespace roundpipe::runs {

int64_t wholeNumberAt(const nlohmann::json& object, const char* key) {
    const nlohmann::json& value = object.at(key);
    if (value.is_number_integer()) return value.get<int64_t>();
    constexpr int kWrongType = 302; // the library's own number for it
    throw nlohmann::json::type_error::create(
        kWrongType, std::string("type must be an integer, but is ") + value.type_name(), &value);
}

int64_t wholeNumberAt(const nlohmann::json& object, const char* key, int64_t otherwise) {
    return object.contains(key) ? wholeNumberAt(object, key) : otherwise;
}

} // namespace roundpipe::runs
