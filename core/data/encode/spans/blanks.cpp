// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/blanks.h"

namespace roundpipe::data {

std::string_view stripped(std::string_view text) {
    static constexpr std::string_view kSpaces[] = {
        "\t",     "\n",     "\v",     "\f",     "\r",     "\x1c",   "\x1d",   "\x1e",   "\x1f",   " ",
        "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
        "\u2007", "\u2008", "\u2009", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"};
    const auto isPlain = [](char c) { return c > ' ' && c < '\x7f'; };
    if (!text.empty() && isPlain(text.front()) && isPlain(text.back())) return text;
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view space : kSpaces) {
            const bool starts = text.starts_with(space);
            if (starts) text.remove_prefix(space.size());
            const bool ends = text.ends_with(space);
            if (ends) text.remove_suffix(space.size());
            again = again || starts || ends;
        }
    }
    return text;
}

} // namespace roundpipe::data
