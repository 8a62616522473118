// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's trace says of its layers.
#pragma once

#include "plan/cost/profile_store.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "trace/record.h"

#include <optional>
#include <span>
#include <vector>

namespace roundpipe::plan {

// How many times as long as estimated the layers of a run took on a device.
struct RunFactors {
    double forward = 1; // of blocks, all alike
    double recompute = 1;
    double backward = 1;
    std::optional<double> head; // nothing where the device met no fused stage
};

// What a run's compute records say of its layers, [device]: blocks scaled alike so that their stages' mean times fit,
// forward, recompute and backward each; the head gets what they leave of the fused stage, or is like a block where that
// is next to nothing. `estimated` are the costs of microbatches as the run had them, on its rig; `firstStep`: records
// of earlier steps (warm-up) are left out. Nothing for a device that met too little.
std::vector<std::optional<RunFactors>> factorsOfRun(std::span<const trace::Record> records, const Plan& plan,
                                                    const Costs& estimated, int32_t firstStep);

// The estimates of a shape, corrected by the factors of a run on the same rig: one profile for each kind of device.
std::vector<DeviceProfile> profilesOfRun(const std::vector<std::optional<RunFactors>>& factors,
                                         const arch::ModelSpec& model, const TrainingShape& shape, const Rig& rig);

} // namespace roundpipe::plan
