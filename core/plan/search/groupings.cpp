// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/groupings.h"

#include <algorithm>
#include <array>

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

std::vector<StepShape> looseGroupings(int32_t most, int32_t usual, bool oneStepStale, bool devicesDiffer) {
    constexpr int32_t kLargestRound = 256;        // weights travel seldom enough
    constexpr int32_t kNumParted = 4, kParts = 4; // fewer rounds than these have quarters between them
    constexpr std::array<int32_t, 3> kRests{1, 2, 4};
    constexpr int32_t kShort = 24; // microbatches of a step
    std::vector<StepShape> shapes;
    const auto add = [&](int32_t size) {
        if (shapes.empty() || size < shapes.back().roundSize)
            shapes.push_back(looseGrouping(size, most, usual, oneStepStale));
    };
    if (devicesDiffer && usual <= kShort)
        for (int32_t size = usual; size > 0; --size)
            add(size);
    for (int32_t rounds = (usual - 1) / kLargestRound + 1; shapes.empty() || shapes.back().roundSize > 1;
         rounds += std::max(1, rounds / 4)) {
        add((usual + rounds - 1) / rounds);
        for (const int32_t rest : kRests)
            if (devicesDiffer && rounds == 1 && (kParts + 1) * rest < usual) add(usual - rest);
        for (int32_t part = 1; rounds < kNumParted && part < kParts; ++part)
            add((kParts * usual + kParts * rounds + part - 1) / (kParts * rounds + part));
    }
    return shapes;
}

} // namespace roundpipe::plan
