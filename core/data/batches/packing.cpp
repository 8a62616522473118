#include "data/batches/packing.h"

#include "base/error.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace roundpipe::data {
namespace {

using Groups = std::vector<std::vector<int64_t>>;

int64_t lengthAt(std::span<const int64_t> lengths, int64_t index) {
    return lengths[static_cast<std::size_t>(index)];
}

std::vector<int64_t> longestFirst(std::span<const int64_t> lengths) {
    std::vector<int64_t> order(lengths.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater<>(), [&](int64_t index) { return lengthAt(lengths, index); });
    return order;
}

// A new group whenever the next one would go beyond the limit.
Groups cutInOrder(std::span<const int64_t> lengths, const std::vector<int64_t>& order, MicrobatchLimit limit) {
    Groups groups;
    int64_t tokens = 0;
    for (const int64_t index : order) {
        const int64_t length = lengthAt(lengths, index);
        const bool full = !groups.empty() && (tokens + length > limit.maxTokens ||
                                              static_cast<int64_t>(groups.back().size()) == limit.maxExamples);
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
Groups bestFit(std::span<const int64_t> lengths, const std::vector<int64_t>& order, MicrobatchLimit limit) {
    Groups groups;
    std::set<std::pair<int64_t, std::size_t>> rooms; // free tokens, group
    for (const int64_t index : order) {
        const int64_t length = lengthAt(lengths, index);
        auto room = rooms.lower_bound({length, 0});
        std::pair<int64_t, std::size_t> chosen{limit.maxTokens, groups.size()};
        if (room == rooms.end())
            groups.emplace_back();
        else
            chosen = rooms.extract(room).value();
        std::vector<int64_t>& group = groups[chosen.second];
        group.push_back(index);
        if (static_cast<int64_t>(group.size()) < limit.maxExamples) rooms.emplace(chosen.first - length, chosen.second);
    }
    return groups;
}

} // namespace

std::vector<std::vector<int64_t>> packed(std::span<const int64_t> lengths, Packing packing, MicrobatchLimit limit) {
    constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
    RP_CHECK(packing != Packing::kBestFit || limit.maxTokens > 0);
    if (limit.maxTokens == 0) limit.maxTokens = kNoLimit;
    if (limit.maxExamples == 0) limit.maxExamples = kNoLimit;
    RP_CHECK(lengths.empty() || *std::ranges::max_element(lengths) <= limit.maxTokens);
    if (packing == Packing::kBestFit) return bestFit(lengths, longestFirst(lengths), limit);
    if (packing == Packing::kByLength) return cutInOrder(lengths, longestFirst(lengths), limit);
    std::vector<int64_t> asDrawn(lengths.size());
    std::iota(asDrawn.begin(), asDrawn.end(), 0);
    return cutInOrder(lengths, asDrawn, limit);
}

} // namespace roundpipe::data
