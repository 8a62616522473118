// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/checks/special_tokens.h"

#include <algorithm>

namespace roundpipe::data {

SpecialTokenFinder::SpecialTokenFinder(const text::Tokenizer& tokenizer) {
    const int32_t vocabSize = tokenizer.vocabSize();
    for (int32_t id = 0; id < vocabSize; ++id) {
        if (!tokenizer.isSpecial(id)) continue;
        const std::string& spelling = m_spellings[id] = tokenizer.idToToken(id);
        if (spelling.empty()) continue;
        m_ids[spelling] = id;
        const auto first = static_cast<unsigned char>(spelling.front());
        m_isFirst[first] = true;
        auto& sizes = m_sizes[first];
        if (std::ranges::find(sizes, spelling.size()) == sizes.end()) sizes.push_back(spelling.size());
    }
    for (auto& sizes : m_sizes)
        std::ranges::sort(sizes, std::ranges::greater{});
}

std::vector<int32_t> SpecialTokenFinder::in(std::string_view text) const {
    std::vector<int32_t> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto first = static_cast<unsigned char>(text[i]);
        if (!m_isFirst[first]) continue;
        for (const std::size_t size : m_sizes[first]) {
            const auto match = m_ids.find(text.substr(i, size));
            if (match == m_ids.end()) continue;
            found.push_back(match->second);
            i += size - 1;
            break;
        }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace roundpipe::data
