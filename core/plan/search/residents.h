// SPDX-License-Identifier: GPL-3.0-or-later
// What stays on devices: as many bases as their memory is left for, and packets.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/step_shape.h"

#include <optional>

namespace roundpipe::plan {

// Which stay where some of those that are used equally often do. Side by side, the link has nothing to do while they
// compute, as all slots are taken, and what comes behind them waits for it. Spread, uploads must look beyond them
// (Plan::prefetchDepth).
enum class Residents { kSideBySide, kSpread };

// Fills plan.resident of GPUs, with those bases first that are used most often. A CPU worker keeps none: its device
// memory is the host's, where they lie already. Where a round-robin table meets the same slots in each step it is made
// to restart, which says the same.
void addResidents(Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape,
                  Residents order = Residents::kSideBySide);

// The plan with packets that stay (Plan::keepsPackets), and with the bases for which that leaves room; what is saved is
// less where it leaves none. Nothing where a plan has no packets, goes from device to device or meets no GPU. It need
// not fit, and be no faster.
std::optional<Plan> withPacketsKept(Plan plan, const Rig& rig, const Costs& costs, const StepShape& shape);

} // namespace roundpipe::plan
