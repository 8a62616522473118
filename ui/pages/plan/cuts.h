// SPDX-License-Identifier: GPL-3.0-or-later
// The cuts of a plan as something that can be moved: where forward stages, the fused stage and backward stages meet.
#pragma once

#include "plan/plan.h"
#include "session/spec/run_spec.h"

#include <cstdint>
#include <vector>

namespace roundpipe::ui::pages {

struct Cut {
    enum class Row { kForward, kBackward, kBoth }; // kBoth: where the fused stage begins
    Row row = Row::kForward;
    int32_t layer = 0; // the first layer above the cut
    bool operator==(const Cut&) const = default;
};

// From left to right, forward before backward where they meet.
std::vector<Cut> cutsOf(const plan::Plan& plan);
// The plan with one cut elsewhere: as near to `layer` as its neighbours allow, each of which keeps a layer.
plan::Plan withCutAt(plan::Plan plan, const Cut& cut, int32_t layer);
// How a run file says it.
void giveStages(const plan::Plan& plan, session::RunSpec& spec);

} // namespace roundpipe::ui::pages
