// SPDX-License-Identifier: GPL-3.0-or-later
// Changes that make a request fit together.
#pragma once

#include "plan/remedies/changes.h"
#include "plan/remedies/fix.h"
#include "plan/search/model_choice.h"

#include <cstdint>
#include <span>
#include <vector>

namespace roundpipe::plan {

// Changes that make it fit together, to be made in this order: what hurts most is changed least, and a rank only where
// it must be. Empty if not even all of these kinds are enough. Among everything: settings, memory and devices. Speeds
// are left open.
enum class Among : uint8_t { kSettings, kEverything };
std::vector<Fix> smallestCombination(const ModelRequest& request, Among among, const SearchOptions& options = {},
                                     const Following& follow = withFixes);

// Fewer bits of the base and host memory, where `memory` alone is enough and these ask for half of it at most: the most
// bits of which that is true. Empty where there are none.
std::vector<Fix> bitsAndLessMemory(const ModelRequest& request, const Fix& memory, const SearchOptions& options = {},
                                   const Following& follow = withFixes);

// Whether such a combination is to be offered beside changes that are enough alone: it changes clearly less of what
// hurts, and none of them costs nothing but speed.
bool isBeside(std::span<const Fix> together, std::span<const Fix> alone);

} // namespace roundpipe::plan
