// SPDX-License-Identifier: GPL-3.0-or-later
// Long texts of a file, shown in part: where a message or a list quotes what a row holds.
#pragma once

#include <cstddef>
#include <string>

namespace roundpipe::data {

inline constexpr std::size_t kQuotedBytes = 80; // of a cell in the middle of a sentence

// Its first `maxBytes`, or a few less, and "…"; the whole where it is no longer. UTF-8 stays UTF-8.
std::string inPart(const std::string& text, std::size_t maxBytes = kQuotedBytes);
// The same on one line: a single space for each run of line breaks, tabs and spaces.
std::string inPartOnOneLine(const std::string& text, std::size_t maxBytes = kQuotedBytes);

} // namespace roundpipe::data
