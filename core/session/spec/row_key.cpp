// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/spec/row_key.h"

#include "base/error.h"
#include "base/hash.h"

#include <charconv>
#include <cinttypes>
#include <cstdio>

namespace roundpipe::session {

RowKey RowKey::of(int64_t number, std::string_view row) {
    return {number, hashName(row)};
}

std::string RowKey::text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016" PRIx64, textHash);
    return std::to_string(number) + "@" + digits;
}

RowKey parseRowKey(const std::string& text) {
    RowKey key;
    const char* const end = text.data() + text.size();
    const auto [afterNumber, badNumber] = std::from_chars(text.data(), end, key.number);
    const bool hasHash = badNumber == std::errc() && key.number > 0 && afterNumber != end && *afterNumber == '@';
    const auto [afterHash, badHash] = std::from_chars(hasHash ? afterNumber + 1 : end, end, key.textHash, 16);
    if (hasHash && badHash == std::errc() && afterHash == end) return key;
    throw invalidInput("'data.leave_out_rows' has the entry '" + text + "'.",
                       "Write a row as 'roundpipe data lens' names it: its number, @, and the hash of what it says.");
}

} // namespace roundpipe::session
