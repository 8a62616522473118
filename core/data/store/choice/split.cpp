// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/store/choice/split.h"

#include "base/hash.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roundpipe::data {

namespace {

// Per id: whether it is among the `count` ones with the smallest hash.
std::vector<bool> chosenBySeed(std::span<const int64_t> ids, int64_t count, uint64_t seed) {
    std::vector<std::pair<uint64_t, std::size_t>> order;
    for (std::size_t i = 0; i < ids.size(); ++i)
        order.emplace_back(mixed(seed, static_cast<uint64_t>(ids[i])), i);
    std::ranges::sort(order);
    std::vector<bool> chosen(order.size(), false);
    for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(count)); ++i)
        chosen[order[i].second] = true;
    return chosen;
}

int64_t numValidationRows(int64_t numRows, const DataOptions& options) {
    if (numRows == 0) return 0;
    int64_t count = std::llround(options.validationFraction * static_cast<double>(numRows));
    if (options.validationFraction > 0) count = std::max<int64_t>(1, count);
    return std::clamp<int64_t>(std::min(count, options.maxValidationRows), 0, numRows - 1);
}

} // namespace

std::vector<Side> sidesOf(std::span<const int64_t> ids, std::size_t numFromFiles, const DataOptions& options) {
    const bool hasFile = !options.validationFiles.empty();
    const std::span<const int64_t> drawn = hasFile ? ids.subspan(numFromFiles) : ids;
    const int64_t count =
        hasFile ? std::max<int64_t>(0, options.maxValidationRows) : numValidationRows(std::ssize(ids), options);
    const std::vector<bool> chosen = chosenBySeed(drawn, count, options.seed);
    std::vector<Side> sides(ids.size() - drawn.size(), Side::kTraining);
    for (const bool isChosen : chosen)
        sides.push_back(isChosen ? Side::kValidation : hasFile ? Side::kNeither : Side::kTraining);
    return sides;
}

} // namespace roundpipe::data
