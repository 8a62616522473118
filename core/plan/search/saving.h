// SPDX-License-Identifier: GPL-3.0-or-later
// What of each layer is saved for its backward: as much as the devices hold.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/step_shape.h"

#include <vector>

namespace roundpipe::plan {

// Of every block its input alone, which takes the least memory: a plan's stages fit in some way if they fit so.
std::vector<geometry::LayerSaving> leastSaving(const geometry::ModelSizes& sizes);

// Fills plan.saving so that the stages of a plan with devices fit where they can, and take the least time; what it says
// is saved in host memory stays there. Each stage
// for itself: what one saves is used up before another begins. Within a stage the deepest layers save their input
// alone, those above them all but gate and up; how many of each is looked at in every combination, which gives the best
// where a stage's blocks are alike, and where they are not, one that fits.
void chooseSaving(Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape);

} // namespace roundpipe::plan
