// SPDX-License-Identifier: GPL-3.0-or-later
// What backward stages need, saved in host memory by forward stages instead of being computed again.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace roundpipe::plan {

// So much of it.
struct HostSaving {
    geometry::Saving what = geometry::Saving::kAll;
    int32_t parts = 0; // of kHostParts of all blocks for which it may be
};
inline constexpr int32_t kHostParts = 8; // so many amounts are tried
Plan savedOnHost(Plan plan, HostSaving saving, const Costs& costs);
// As savedOnHost() made it; nothing where it saves nothing there.
std::optional<HostSaving> hostSavingOf(const Plan& plan, const Costs& costs);

// A plan with `what` of more and more of its backward stages' blocks saved in host memory, up to all of them: the
// deepest of each stage, and of all stages in the same proportion. Each once; nothing where there is no such block.
// What stays on devices is left open.
std::vector<Plan> plansSavedOnHost(const Plan& plan, geometry::Saving what, const Costs& costs);
// With all of them.
Plan allSavedOnHost(Plan plan, geometry::Saving what, const Costs& costs);
// The same plan with nothing saved there, and what of its layers is saved on devices left open.
Plan withoutHostSaving(Plan plan);
bool savesOnHost(const Plan& plan);
// So many times as fast a step must be by a plan that takes that much of the host's memory, and of what it carries.
inline constexpr double kHostSavingWorth = 1.02;

} // namespace roundpipe::plan
