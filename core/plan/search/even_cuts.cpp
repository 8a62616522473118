// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/even_cuts.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roundpipe::plan {
namespace {

constexpr double kSlack = 1 + 1e-12; // sums of the same layers differ in the last bits

double cost(std::span<const double> sums, int32_t begin, int32_t end) {
    return sums[static_cast<std::size_t>(end)] - sums[static_cast<std::size_t>(begin)];
}

// The furthest end of a stage that begins at `begin` and costs at most `limit`; one layer at least.
int32_t furthest(std::span<const double> sums, int32_t begin, int32_t end, double limit) {
    const double bound = sums[static_cast<std::size_t>(begin)] + limit * kSlack;
    // Most stages are of a few layers, so it looks at twice as many each time.
    int32_t inside = begin + 1, beyond = begin + 2;
    while (beyond <= end && sums[static_cast<std::size_t>(beyond)] <= bound) {
        inside = beyond;
        beyond += beyond - begin;
    }
    const auto first = sums.begin() + inside + 1;
    const auto last = sums.begin() + std::min(beyond, end + 1);
    return first >= last ? inside : static_cast<int32_t>(std::upper_bound(first, last, bound) - sums.begin()) - 1;
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// Stages filled one after another up to a limit.
struct Filled {
    double most = 0;        // what the dearest costs; infinity if some layers are left
    double next = kNoLimit; // no limit below it fills any of them with more
};
Filled filled(std::span<const double> sums, LayerRange layers, int32_t numStages, double limit) {
    Filled found;
    int32_t begin = layers.begin;
    for (int32_t i = 0; i < numStages && begin < layers.end; ++i) {
        const int32_t end = furthest(sums, begin, layers.end, limit);
        found.most = std::max(found.most, cost(sums, begin, end));
        if (end < layers.end) found.next = std::min(found.next, cost(sums, begin, end + 1));
        begin = end;
    }
    if (begin < layers.end) found.most = kNoLimit;
    return found;
}

// By bisection. Costs of stages are few: each cut that is found is a tighter bound than the limit that it was found
// with, and where none is, the next cost that a stage can have is; mostly that is the one.
double smallestLimit(std::span<const double> sums, LayerRange layers, int32_t numStages) {
    constexpr double kRelativeError = 1e-7;
    double low = cost(sums, layers.begin, layers.end) / numStages;
    for (int32_t l = layers.begin; l < layers.end; ++l)
        low = std::max(low, cost(sums, l, l + 1));
    double high = cost(sums, layers.begin, layers.end);
    for (bool isNext = true; high > low * (1 + kRelativeError); isNext = !isNext) {
        const double tried = isNext ? low : (low + high) / 2;
        const Filled found = filled(sums, layers, numStages, tried);
        if (found.most <= tried * kSlack)
            high = std::min(found.most, tried);
        else
            low = std::max(tried, found.next);
    }
    return high;
}

} // namespace

double paceOfEvenCuts(std::span<const double> sums, LayerRange layers, int32_t numStages) {
    RP_CHECK(numStages >= 1 && numStages <= layers.size());
    return smallestLimit(sums, layers, numStages);
}

std::vector<LayerRange> evenCuts(std::span<const double> sums, LayerRange layers, int32_t numStages) {
    RP_CHECK(numStages >= 1 && numStages <= layers.size());
    const double limit = smallestLimit(sums, layers, numStages);
    std::vector<LayerRange> stages;
    int32_t begin = layers.begin;
    for (int32_t left = numStages; left > 0; --left) {
        const double share = cost(sums, begin, layers.end) / left;
        const int32_t last = std::min(furthest(sums, begin, layers.end, limit), layers.end - (left - 1));
        int32_t end = begin + 1;
        while (end < last && std::abs(cost(sums, begin, end + 1) - share) <= std::abs(cost(sums, begin, end) - share))
            ++end;
        // The rest must still fit into what is left.
        while (end < last && left > 1 && filled(sums, {end, layers.end}, left - 1, limit).most > limit * kSlack)
            ++end;
        if (left == 1) end = layers.end;
        stages.push_back({begin, end});
        begin = end;
    }
    return stages;
}

std::vector<LayerRange> evenCutsFromEnd(std::span<const double> sums, LayerRange layers, int32_t numStages) {
    const int32_t end = layers.end;
    std::vector<double> mirrored;
    for (int32_t l = end; l >= layers.begin; --l)
        mirrored.push_back(cost(sums, l, end));
    std::vector<LayerRange> stages = evenCuts(mirrored, {0, layers.size()}, numStages);
    for (LayerRange& stage : stages)
        stage = {end - stage.end, end - stage.begin};
    std::ranges::reverse(stages);
    return stages;
}

int32_t fewestStages(std::span<const double> sums, LayerRange layers, double limit) {
    int32_t numStages = 0;
    for (int32_t begin = layers.begin; begin < layers.end; ++numStages)
        begin = furthest(sums, begin, layers.end, limit);
    return numStages;
}

} // namespace roundpipe::plan
