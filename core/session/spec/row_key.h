// SPDX-License-Identifier: GPL-3.0-or-later
// How a run file names a single row of its data.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace roundpipe::session {

// A row's number alone would mean another row once lines of the file were added or taken out, so what it says is named
// as well: a key fits a row of the data or none.
struct RowKey {
    int64_t number = 0;    // as people count: the line of a JSONL file, the record of a table
    uint64_t textHash = 0; // of the row as the file has it

    static RowKey of(int64_t number, std::string_view row);
    std::string text() const; // "75@9f3c01ab0e2d4455"
    auto operator<=>(const RowKey&) const = default;
};

RowKey parseRowKey(const std::string& text); // throws kInvalidInput naming the setting

} // namespace roundpipe::session
