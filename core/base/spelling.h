// SPDX-License-Identifier: GPL-3.0-or-later
// Enums whose values are written in files, on the command line and in messages. Beside such an enum stands
//     constexpr std::array<const char*, 2> spellings(Determinism) { return {"strict", "fast"}; }
// with one text for each value, in their order: the one table for both ways.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace roundpipe {

template <class Enum>
concept Spelled = std::is_enum_v<Enum> && requires {
    spellings(Enum{}).size();
};

template <Spelled Enum>
constexpr const char* spellingOf(Enum value) {
    return spellings(value)[static_cast<std::size_t>(value)];
}

// Nothing where no value has this spelling.
template <Spelled Enum>
constexpr std::optional<Enum> fromSpelling(std::string_view text) {
    const auto names = spellings(Enum{});
    for (std::size_t i = 0; i < names.size(); ++i)
        if (text == names[i]) return static_cast<Enum>(i);
    return std::nullopt;
}

} // namespace roundpipe
