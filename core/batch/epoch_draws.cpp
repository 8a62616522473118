// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/epoch_draws.h"

#include "base/error.h"
#include "base/hash.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace roundpipe::batch {
namespace {

// The dataset's examples, the shortest first; equal ones by `seed`.
std::vector<uint32_t> byLength(std::span<const uint32_t> lengths, uint64_t seed) {
    constexpr int kHalf = 32;
    std::vector<std::pair<uint64_t, uint32_t>> keys;
    for (uint32_t i = 0; i < lengths.size(); ++i)
        keys.emplace_back(uint64_t{lengths[i]} << kHalf | mixed(seed, i) >> kHalf, i);
    std::ranges::sort(keys);
    std::vector<uint32_t> order;
    for (const auto& [key, index] : keys)
        order.push_back(index);
    return order;
}

int64_t sumOfLongest(std::span<const uint32_t> lengths, int64_t count) {
    std::vector<uint32_t> longestFirst(lengths.begin(), lengths.end());
    std::ranges::nth_element(longestFirst, longestFirst.begin() + count, std::greater<>());
    return std::accumulate(longestFirst.begin(), longestFirst.begin() + count, int64_t{0});
}

} // namespace

EpochDraws::EpochDraws(const ExampleLengths& examples, std::span<const Share> shares, DrawOrder order)
    : m_order(order), m_isSameInEvery(!order.shuffle) {
    const std::vector<int64_t> draws = drawsOf(examples, shares);
    for (std::size_t i = 0; i < draws.size(); ++i) {
        m_parts.push_back(partOf(examples, examples.datasets()[i], draws[i]));
        m_perEpoch += draws[i];
    }
}

// Adds what it draws to the sums.
EpochDraws::Part EpochDraws::partOf(const ExampleLengths& examples, const DatasetLengths& dataset, int64_t draws) {
    Part part{dataset.first, dataset.size, m_perEpoch, draws, 0, 0};
    if (draws == 0) return part;
    part.rest = draws % dataset.size;
    const int64_t wholeTimes = draws / dataset.size, whole = wholeTimes * dataset.numTokens;
    const double restOf = static_cast<double>(part.rest) / static_cast<double>(dataset.size);
    const double restTokens = static_cast<double>(dataset.numTokens) * restOf;
    m_tokens += static_cast<double>(whole) + restTokens;
    m_trained +=
        static_cast<double>(wholeTimes * dataset.numTrained) + static_cast<double>(dataset.numTrained) * restOf;
    m_tokensAtMost += whole;
    if (part.rest == 0) return part;
    m_isSameInEvery = false;
    const auto lengths =
        examples.tokens().subspan(static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.size));
    const uint64_t seed = mixed(m_order.seed, m_parts.size());
    if (m_order.shuffle) {
        part.circle = byLength(lengths, seed);
        part.phase = static_cast<int64_t>(seed % static_cast<uint64_t>(part.size));
        const int64_t spread = int64_t{lengths[part.circle.back()]} - int64_t{lengths[part.circle.front()]};
        m_tokensAtMost += static_cast<int64_t>(std::ceil(restTokens)) + spread;
    } else {
        m_tokensAtMost += sumOfLongest(lengths, part.rest);
    }
    return part;
}

int64_t EpochDraws::drawsOfDataset(std::size_t dataset) const {
    return m_parts.at(dataset).draws;
}

int64_t EpochDraws::mostOften(std::size_t dataset) const {
    const Part& part = m_parts.at(dataset);
    return part.draws == 0 ? 0 : (part.draws - 1) / part.size + 1;
}

// Place k of the circle belongs to the rest of an epoch where k·m + phase wraps around s on its way to the next place.
// From one epoch to the next the phase falls by m, the width of the window in which that happens, so the windows of the
// epochs that follow lie side by side: each place is in one of them before any is in a second.
int64_t EpochDraws::ofRest(const Part& part, int64_t epoch, int64_t index) {
    const int64_t s = part.size, m = part.rest;
    const int64_t phase = (part.phase + (s - epoch % s * m % s)) % s;
    const int64_t place = ((index + 1) * s - phase + m - 1) / m - 1;
    return part.circle.empty() ? place : int64_t{part.circle[static_cast<std::size_t>(place)]};
}

int64_t EpochDraws::at(int64_t epoch, int64_t position) const {
    const int64_t draw = EpochOrder(m_order, epoch, m_perEpoch).at(position);
    const auto behind = std::ranges::upper_bound(m_parts, draw, {}, &Part::begin);
    const Part& part = *std::prev(behind); // the last one of those that begin here: the others draw nothing
    const int64_t index = draw - part.begin, whole = part.draws - part.rest;
    return part.first + (index < whole ? index % part.size : ofRest(part, epoch, index - whole));
}

} // namespace roundpipe::batch
