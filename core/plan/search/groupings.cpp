// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/groupings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

namespace roundpipe::plan {

std::vector<StepShape> groupings(int32_t numMicrobatches, bool oneStepStale) {
    std::vector<StepShape> shapes;
    for (int32_t rounds = 1; rounds <= numMicrobatches; ++rounds)
        if (numMicrobatches % rounds == 0) shapes.push_back({numMicrobatches / rounds, rounds, oneStepStale});
    return shapes;
}

StepShape looseGrouping(int32_t roundSize, int32_t most, int32_t usual, bool oneStepStale) {
    return {roundSize, (most + roundSize - 1) / roundSize, oneStepStale, usual};
}

namespace {

constexpr int32_t kLargestRound = 256; // weights travel seldom enough

using Sizes = std::set<int32_t, std::greater<>>; // of rounds

// Whole rounds leave a device time now and then that another one needs.
void addSizesForUnequal(Sizes& sizes, int32_t usual, double shareOfFastest) {
    constexpr int32_t kShort = 24; // microbatches of a step
    constexpr std::array<int32_t, 3> kRests{1, 2, 4}, kRoundsOfFastest{1, 2, 3};
    constexpr int32_t kSmallPart = 5; // a rest is less than this part of a step
    if (usual <= kShort)
        for (int32_t size = usual; size > 0; --size)
            sizes.insert(size);
    for (const int32_t rest : kRests)
        if (usual <= kLargestRound && kSmallPart * rest < usual) sizes.insert(usual - rest);
    for (const int32_t rounds : kRoundsOfFastest) {
        const double exact = usual * shareOfFastest / rounds;
        for (const double size : {std::floor(exact), std::ceil(exact)})
            if (size >= 1 && size <= kLargestRound) sizes.insert(static_cast<int32_t>(size));
    }
}

} // namespace

std::vector<StepShape> looseGroupings(int32_t most, int32_t usual, bool oneStepStale,
                                      std::optional<double> shareOfFastest) {
    constexpr int32_t kNumParted = 4, kParts = 4; // fewer rounds than these have quarters between them
    Sizes sizes;
    if (shareOfFastest) addSizesForUnequal(sizes, usual, *shareOfFastest);
    for (int32_t size = 0, rounds = (usual - 1) / kLargestRound + 1; size != 1; rounds += std::max(1, rounds / 4)) {
        size = (usual + rounds - 1) / rounds;
        sizes.insert(size);
        for (int32_t part = 1; rounds < kNumParted && part < kParts; ++part)
            sizes.insert((kParts * usual + kParts * rounds + part - 1) / (kParts * rounds + part));
    }
    std::vector<StepShape> shapes;
    for (const int32_t size : sizes)
        shapes.push_back(looseGrouping(size, most, usual, oneStepStale));
    return shapes;
}

} // namespace roundpipe::plan
