// SPDX-License-Identifier: GPL-3.0-or-later
// Whole numbers in the files of a run, which anybody may have written. Internal to this folder.
#pragma once

#include <cstdint>
#include <string>

namespace roundpipe::runs {

// What stands at `key` of an object (`Json`: the library's type, whose header is not for all who include this one).
// Throws its exception where it is missing, or no whole number: what get<int64_t>() makes of a fraction beyond all of
// them is undefined.
template <class Json>
int64_t wholeNumberAt(const Json& object, const char* key) {
    const Json& value = object.at(key);
    if (value.is_number_integer()) return value.template get<int64_t>();
    constexpr int kWrongType = 302; // the library's own number for it
    throw Json::type_error::create(kWrongType, std::string("type must be an integer, but is ") + value.type_name(),
                                   &value);
}

// `otherwise`: where it is missing.
template <class Json>
int64_t wholeNumberAt(const Json& object, const char* key, int64_t otherwise) {
    return object.contains(key) ? wholeNumberAt(object, key) : otherwise;
}

} // namespace roundpipe::runs
