// SPDX-License-Identifier: GPL-3.0-or-later
// What would help where a model does not fit a rig.
#pragma once

#include "plan/remedies/changes.h"
#include "plan/remedies/combination.h"
#include "plan/remedies/fix.h"
#include "plan/search/model_choice.h"

#include <vector>

namespace roundpipe::plan {

// The smallest change of each kind that makes a request fit that does not, gentlest kinds first; empty if none of them
// alone is enough. By memory alone, and on unequal devices by a search as well: one step less does not fit. Their
// speeds are left to who plans with them.
std::vector<Fix> smallestFixes(const ModelRequest& request, const SearchOptions& options = {},
                               const Following& follow = withFixes);

} // namespace roundpipe::plan
