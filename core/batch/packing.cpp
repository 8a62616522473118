// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/packing.h"

#include "base/error.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

namespace roundpipe::batch {
namespace {

using Groups = std::vector<std::vector<int64_t>>;

int64_t lengthAt(std::span<const uint32_t> lengths, int64_t index) {
    return lengths[static_cast<std::size_t>(index)];
}

// A new group whenever the next one would go beyond the limit.
Groups cutInOrder(std::span<const uint32_t> lengths, const std::vector<int64_t>& order, const StepRules& rules) {
    Groups groups;
    int64_t tokens = 0;
    for (const int64_t index : order) {
        const int64_t length = lengthAt(lengths, index);
        const bool full = !groups.empty() && (rules.microbatchTokens > 0
                                                  ? tokens + length > rules.microbatchTokens
                                                  : static_cast<int64_t>(groups.back().size()) == rules.microbatchSize);
        if (groups.empty() || full) {
            groups.emplace_back();
            tokens = 0;
        }
        groups.back().push_back(index);
        tokens += length;
    }
    return groups;
}

// Each into the fullest group that still has room for it; among equals the oldest.
Groups bestFit(std::span<const uint32_t> lengths, const std::vector<int64_t>& order, int64_t maxTokens) {
    Groups groups;
    std::set<std::pair<int64_t, std::size_t>> rooms; // free tokens, group
    for (const int64_t index : order) {
        const int64_t length = lengthAt(lengths, index);
        auto room = rooms.lower_bound({length, 0});
        std::pair<int64_t, std::size_t> chosen{maxTokens, groups.size()};
        if (room == rooms.end())
            groups.emplace_back();
        else
            chosen = rooms.extract(room).value();
        groups[chosen.second].push_back(index);
        rooms.emplace(chosen.first - length, chosen.second);
    }
    return groups;
}

} // namespace

std::vector<std::vector<int64_t>> packed(std::span<const uint32_t> lengths, const StepRules& rules) {
    RP_CHECK(rules.packing != Packing::kBestFit || rules.microbatchTokens > 0);
    RP_CHECK(rules.microbatchTokens == 0 || lengths.empty() ||
             *std::ranges::max_element(lengths) <= rules.microbatchTokens);
    std::vector<int64_t> order(lengths.size());
    std::iota(order.begin(), order.end(), 0);
    if (rules.packing != Packing::kNone) // the longest first
        std::ranges::stable_sort(order, std::greater<>(), [&](int64_t index) { return lengthAt(lengths, index); });
    return rules.packing == Packing::kBestFit ? bestFit(lengths, order, rules.microbatchTokens)
                                              : cutInOrder(lengths, order, rules);
}

} // namespace roundpipe::batch
