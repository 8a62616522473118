// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/choice/repeats.h"

#include <array>
#include <functional>
#include <numeric>

namespace roundpipe::data {
namespace {

// The rows in the order of their keys, those with equal keys in their own order.
std::vector<uint32_t> orderedByKey(std::vector<uint32_t> rows, const std::vector<uint64_t>& keys, int keyBits) {
    constexpr int kDigitBits = 16;
    std::vector<uint32_t> next(rows.size());
    for (int shift = 0; shift < keyBits; shift += kDigitBits) {
        const auto digit = [&](uint32_t row) { return (keys[row] >> shift) & ((1u << kDigitBits) - 1); };
        std::vector<std::size_t> starts((1u << kDigitBits) + 1, 0);
        for (const uint32_t row : rows)
            ++starts[digit(row) + 1];
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
        for (const uint32_t row : rows)
            next[starts[digit(row)]++] = row;
        rows.swap(next);
    }
    return rows;
}

// Gives every row that has no match yet the first row to train on with the same key.
void matchEqualKeys(const std::vector<RowHashes>& rows, const std::vector<uint32_t>& order,
                    const std::vector<uint64_t>& keys, std::vector<int64_t>& matches) {
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        int64_t first = -1;
        for (end = begin; end < order.size() && keys[order[end]] == keys[order[begin]]; ++end)
            if (first < 0 && !rows[order[end]].isValidation) first = order[end];
        for (std::size_t i = begin; i < end && first >= 0; ++i)
            if (order[i] != first && matches[order[i]] < 0) matches[order[i]] = first;
    }
}

} // namespace

Repeats repeatsOf(const std::vector<RowHashes>& rows) {
    Repeats repeats{std::vector<int64_t>(rows.size(), -1), std::vector<int64_t>(rows.size(), -1)};
    std::vector<uint64_t> keys(rows.size());
    std::vector<uint32_t> all(rows.size()), worded;
    std::iota(all.begin(), all.end(), 0u);
    for (const uint32_t row : all) {
        keys[row] = rows[row].tokens;
        if (rows[row].bands) worded.push_back(row);
    }
    matchEqualKeys(rows, orderedByKey(all, keys, 64), keys, repeats.exact);
    for (std::size_t band = 0; band < kNumBands; ++band) {
        for (const uint32_t row : worded)
            keys[row] = (*rows[row].bands)[band];
        matchEqualKeys(rows, orderedByKey(worded, keys, 32), keys, repeats.near);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (repeats.exact[i] >= 0) repeats.near[i] = -1;
    return repeats;
}

} // namespace roundpipe::data
