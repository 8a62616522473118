// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/share.h"

#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roundpipe::batch {
namespace {

constexpr double kMostDraws = 4294967296; // of an epoch: a pass over its order takes a minute already

// What is asked for, as no whole number yet. `perWeight`: examples for each unit of weight.
double wantedOf(const DatasetLengths& dataset, const Share& share, double perWeight) {
    const auto size = static_cast<double>(dataset.size);
    switch (share.kind) {
    case ShareKind::kEpochs:
        return share.amount * size;
    case ShareKind::kWeight:
        return share.amount * perWeight;
    case ShareKind::kRows:
        return share.amount;
    case ShareKind::kTokens:
        break;
    }
    return share.amount * size / std::max(1.0, static_cast<double>(dataset.numTokens));
}

// Rounded so that their sum is `total`: down, and those that lose most of one by it are given back the one.
void roundTogether(const std::vector<double>& wanted, std::vector<std::size_t> members, int64_t total,
                   std::vector<int64_t>& draws) {
    for (const std::size_t i : members)
        total -= draws[i] = static_cast<int64_t>(wanted[i]);
    std::ranges::stable_sort(members, std::ranges::greater{},
                             [&](std::size_t i) { return wanted[i] - std::floor(wanted[i]); });
    for (const std::size_t i : members)
        if (total-- > 0) ++draws[i];
}

} // namespace

std::vector<int64_t> drawsOf(const ExampleLengths& examples, std::span<const Share> shares) {
    const auto datasets = examples.datasets();
    const auto shareOf = [&](std::size_t i) { return i < shares.size() ? shares[i] : Share{}; };
    std::vector<std::size_t> weighted;
    int64_t pool = 0;
    double weights = 0;
    for (std::size_t i = 0; i < datasets.size(); ++i) {
        const Share share = shareOf(i);
        if (!(share.amount > 0 && std::isfinite(share.amount)))
            throw invalidInput(
                fmt::format("data.share_amount of dataset {} is {}, but must be above 0.", i + 1, share.amount));
        if (share.kind != ShareKind::kWeight || datasets[i].size == 0) continue;
        weighted.push_back(i);
        pool += datasets[i].size;
        weights += share.amount;
    }
    const double perWeight = weights > 0 ? static_cast<double>(pool) / weights : 0;
    std::vector<double> wanted;
    for (std::size_t i = 0; i < datasets.size(); ++i)
        wanted.push_back(datasets[i].size == 0 ? 0 : wantedOf(datasets[i], shareOf(i), perWeight));
    if (const double all = std::accumulate(wanted.begin(), wanted.end(), 0.0); !(all <= kMostDraws))
        throw invalidInput(fmt::format("An epoch would have {:.0f} examples.", all),
                           "Lower data.share_amount; how long a run takes is up to duration.epochs.");
    std::vector<int64_t> draws;
    for (const double count : wanted)
        draws.push_back(std::llround(count));
    roundTogether(wanted, std::move(weighted), pool, draws);
    for (std::size_t i = 0; i < datasets.size(); ++i)
        if (datasets[i].size > 0) draws[i] = std::max<int64_t>(1, draws[i]);
    return draws;
}

} // namespace roundpipe::batch
