// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a step that cost nothing and make it faster.
#pragma once

#include "plan/remedies/changes.h"
#include "plan/remedies/fix.h"
#include "plan/search/model_choice.h"

#include <optional>
#include <vector>

namespace roundpipe::plan {

// Smaller rounds of the same microbatches, more of them, where they are faster than `found` by 5 % or more: packets of
// a large round may take so much host memory that only slow plans fit. Nothing where the host holds any plan's, in
// milliseconds, and where rounds are open.
std::optional<Fix> fasterRounds(const ModelRequest& request, const ModelChoice& found,
                                const SearchOptions& options = {});

// Of all ways to do the same step in smaller microbatches and rounds, more of them, the changes that make the fastest
// one that fits; empty where none does, or their sizes are open. Its speed is left to who plans with it.
std::vector<Fix> fastestOfSameStep(const ModelRequest& request, const SearchOptions& options = {},
                                   const Following& follow = withFixes);

} // namespace roundpipe::plan
