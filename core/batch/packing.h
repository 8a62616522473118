// SPDX-License-Identifier: GPL-3.0-or-later
// Which examples share a microbatch. A microbatch has no padding: its examples lie end to end, attention and positions
// end with each, so the loss and all random draws are the same whatever the grouping; it decides speed and memory only.
#pragma once

#include "batch/step_rules.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::batch {

// Groups of indices into `lengths`, each within rules.microbatchTokens or else of at most rules.microbatchSize; every
// index occurs once. A pure function of its arguments. No length may be above microbatchTokens; kBestFit needs them.
// O(n log n).
std::vector<std::vector<int64_t>> packed(std::span<const uint32_t> lengths, const StepRules& rules);

} // namespace roundpipe::batch
