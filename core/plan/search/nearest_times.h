// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what a run measured of its layers is worth keeping: not everything that keeps a step waiting lies in them.
#pragma once

#include "plan/cost/profile_store.h"
#include "plan/search/model_choice.h"

#include <span>

namespace roundpipe::plan {

enum class NearestTimes {
    kEstimates, // no measured times at all
    kKept,      // those that plans of this run's shape find in ran.profiles
    kRun        // the run's own
};

// Which of them predict best what the run's steps took: `stepSeconds`, the median of those behind the warm-up. `ran` is
// what its planner was asked, of fixed microbatches and rounds, with the plan that ran as `given`; `ofRun` are the
// run's own times for the same shape. Of those that are equally far off, estimates come first, then the run's own.
// Throws as loadMeasured does.
NearestTimes nearestTimes(const ModelRequest& ran, std::span<const DeviceProfile> ofRun, double stepSeconds);

} // namespace roundpipe::plan
