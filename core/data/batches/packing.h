// Which examples share a microbatch. A microbatch has no padding: its examples lie end to end, attention and positions
// end with each, so the loss and all random draws are the same whatever the grouping; it decides speed and memory only.
#pragma once

#include "base/choices.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::data {

struct MicrobatchLimit {
    int64_t maxTokens = 0;   // 0: no limit
    int64_t maxExamples = 0; // 0: no limit
};

// Groups of indices into `lengths`, each within the limit; every index occurs once. A pure function of its arguments.
// No length may be above maxTokens; kBestFit needs maxTokens. O(n log n).
std::vector<std::vector<int64_t>> packed(std::span<const int64_t> lengths, Packing packing, MicrobatchLimit limit);

} // namespace roundpipe::data
