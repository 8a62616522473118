// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a step that cost nothing and make it faster.
#pragma once

#include "plan/search/fix.h"
#include "plan/search/model_choice.h"

#include <optional>

namespace roundpipe::plan {

// Smaller rounds of the same microbatches, more of them, where they are faster than `found` by 5 % or more: packets of
// a large round may take so much host memory that only slow plans fit. Nothing where the host holds any plan's, in
// milliseconds, and where rounds are open.
std::optional<Fix> fasterRounds(const ModelRequest& request, const ModelChoice& found,
                                const SearchOptions& options = {});

} // namespace roundpipe::plan
