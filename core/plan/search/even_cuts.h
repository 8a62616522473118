// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting a row of layers into stages of nearly equal cost.
#pragma once

#include "plan/plan.h"

#include <span>
#include <vector>

namespace roundpipe::plan {

// `sums[i]`: the cost of layers [0, i). Cuts `layers` into exactly `numStages` stages so that the dearest one is as
// cheap as can be, and among such cuts evens the others out. 1 <= numStages <= layers.size().
std::vector<LayerRange> evenCuts(std::span<const double> sums, LayerRange layers, int32_t numStages);
// The same from the last layer on: stages that get a layer less are then the first instead of the last ones.
std::vector<LayerRange> evenCutsFromEnd(std::span<const double> sums, LayerRange layers, int32_t numStages);
// What the dearest of evenCuts() costs.
double paceOfEvenCuts(std::span<const double> sums, LayerRange layers, int32_t numStages);
// The fewest stages of which none is dearer than `limit`, dear single layers excepted.
int32_t fewestStages(std::span<const double> sums, LayerRange layers, double limit);

} // namespace roundpipe::plan
