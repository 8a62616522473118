// SPDX-License-Identifier: GPL-3.0-or-later
// The last steps of a search on one GPU whose plans save in host memory.
//
// Cuts are found as if nothing were saved there, and how much is saved is then chosen for each. What is best together
// is found by neither: fewer stages that save more have less to compute, and links that are still fast enough.
#pragma once

#include "plan/search/evaluated_plan.h"

#include <cstdint>
#include <optional>

namespace roundpipe::plan {

// `found`, which saves in host memory, with other numbers of stages and fused layers, and with more or less saved there
// or something else, as long as a replay gets shorter, or until so many microbatch-slots were replayed. It fits.
// Nothing where no change helps.
std::optional<EvaluatedPlan> polishedAlone(const EvaluatedPlan& found, const Rig& rig, const Costs& costs,
                                           const SearchOptions& options, int64_t slots);

} // namespace roundpipe::plan
