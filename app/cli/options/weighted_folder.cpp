// SPDX-License-Identifier: GPL-3.0-or-later
#include "options/weighted_folder.h"

#include "base/error.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace roundpipe::cli {

WeightedFolder weightedFolderOf(const std::string& word) {
    constexpr std::string_view kWeight = ",weight=";
    // Far from what fp32 holds no more, with any adapter's own scale beside it.
    constexpr double kLeast = 1e-9, kMost = 1e9;
    const std::size_t at = word.rfind(kWeight);
    WeightedFolder result{word.substr(0, at)};
    if (at == std::string::npos) return result;
    const std::string number = word.substr(at + kWeight.size());
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), result.weight);
    if (failed != std::errc() || end != number.data() + number.size() || !std::isfinite(result.weight) ||
        std::abs(result.weight) > kMost || (result.weight != 0 && std::abs(result.weight) < kLeast))
        throw invalidInput("'" + number + "' is no weight of an adapter.",
                           "Write a number, as in DIR,weight=0.5; sums are made in fp32.");
    return result;
}

} // namespace roundpipe::cli
