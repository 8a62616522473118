// SPDX-License-Identifier: GPL-3.0-or-later
// Counts by what is counted, as a report lists them. Internal to this folder.
#pragma once

#include "base/spelling.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace roundpipe::data {

// The most frequent first, equal ones by what they are called.
template <class Count, class Code>
std::vector<Count> counted(const std::map<Code, int64_t>& counts) {
    std::vector<Count> list;
    for (const auto& [code, count] : counts)
        list.push_back({code, count});
    std::ranges::sort(list, {}, [](const Count& one) {
        const auto& [code, count] = one;
        return std::pair(-count, std::string_view(spellingOf(code)));
    });
    return list;
}

} // namespace roundpipe::data
