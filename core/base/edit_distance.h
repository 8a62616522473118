// SPDX-License-Identifier: GPL-3.0-or-later
// How far a mistyped word is from one that was meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace roundpipe {

// Letters to insert, delete or replace to make one of the other (Levenshtein), bytes taken for letters.
std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace roundpipe
