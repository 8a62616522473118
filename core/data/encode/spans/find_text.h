// SPDX-License-Identifier: GPL-3.0-or-later
// Finding texts in renderings of megabytes, which may be made to be slow to read: linear whatever they hold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

namespace roundpipe::data {

// As std::string_view::find(), which begins anew at every place where the text repeats the beginning of a long `what`.
std::size_t findText(std::string_view text, std::string_view what, std::size_t from = 0);

// What begins with `prefix` (not empty) and is that many bytes long, wherever the text has it; views of the text.
std::unordered_set<std::string_view> textsOfSize(std::string_view text, std::string_view prefix, std::size_t size);

// `before` with a number behind it, in so many digits, that does not stand in the text.
std::string absentFrom(std::string_view text, std::string_view before, int digits);

} // namespace roundpipe::data
