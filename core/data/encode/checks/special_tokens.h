// SPDX-License-Identifier: GPL-3.0-or-later
// Finds special tokens that a text spells out: in a rendered conversation the tokenizer takes them for the real ones,
// so a message that holds <|im_end|> ends its turn early.
#pragma once

#include "text/tokenizer.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roundpipe::data {

// Immutable: any number of threads may search at once.
class SpecialTokenFinder {
public:
    explicit SpecialTokenFinder(const text::Tokenizer& tokenizer);

    // Each token that occurs once, ascending.
    std::vector<int32_t> in(std::string_view text) const;
    const std::string& spellingOf(int32_t id) const { return m_spellings.at(id); }

private:
    std::unordered_map<std::string_view, int32_t> m_ids; // of the texts in m_spellings
    std::unordered_map<int32_t, std::string> m_spellings;
    std::vector<std::size_t> m_sizes[256]; // lengths of those that start with a byte, the longest first
    std::array<bool, 256> m_isFirst{};     // whether any does
};

} // namespace roundpipe::data
