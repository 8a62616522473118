// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/json/long_number.h"

#include <algorithm>

namespace roundpipe::data {

Json longNumber(std::string_view digits) {
    return Json::binary({digits.begin(), digits.end()});
}

bool isLongNumber(const Json& value) {
    return value.is_binary();
}

std::string digitsOf(const Json& longNumber) {
    const Json::binary_t& digits = longNumber.get_binary();
    return {digits.begin(), digits.end()};
}

bool isWholeNumber(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const bool isPlain = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return isPlain && (text.size() == 1 || text.front() != '0');
}

} // namespace roundpipe::data
