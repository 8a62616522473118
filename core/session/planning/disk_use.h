// SPDX-License-Identifier: GPL-3.0-or-later
// What a run writes into its folder.
#pragma once

#include "session/planning/plan_answer.h"

namespace roundpipe::session {

struct DiskUse {
    int64_t checkpoints = 0; // the last one and the best: a run is not planned without room for them
    int64_t earlier = 0;     // those that are kept beside them; where there is no room they give way to new ones
    int64_t result = 0;      // the adapter, or the weights
    int64_t trace = 0;       // 0, too, where it can't be told how long that gets
    int64_t total() const { return checkpoints + earlier + result + trace; }
    int64_t least() const { return checkpoints + result; }
};

// Of a run of so many steps (0: not known) by an answer with a plan.
DiskUse diskUseOf(const RunSpec& spec, const PlanAnswer& answer, int64_t numSteps);

} // namespace roundpipe::session
