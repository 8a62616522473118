// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands that print for people share: whether colours are wanted, and numbers that can be read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace roundpipe::cli {

// Colours on a terminal, unless --no-color or NO_COLOR says otherwise; --color wants them anywhere (for `less -R`).
struct ColourChoice {
    bool always = false;
    bool never = false;
    bool wanted() const;
};

// `text` in the given attributes of ECMA-48 ("1;38;5;215"), or as it is without colours.
std::string styled(std::string_view text, std::string_view attributes, bool colours);

std::string grouped(int64_t number);              // "1,234,567"
std::string percentOf(int64_t part, int64_t all); // "12.3 %"

} // namespace roundpipe::cli
