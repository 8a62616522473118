// What a run's trace says of its layers.
#pragma once

#include "plan/cost/profile_store.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "trace/record.h"

#include <span>
#include <vector>

namespace roundpipe::plan {

// What a run's compute records say of its layers: blocks scaled alike so that their stages' mean times fit, forward,
// recompute and backward each; the head gets what they leave of the fused stage. `estimated` are the costs of the run's
// rig; `firstStep`: records of earlier steps (warm-up) are left out. Devices that met too little are not in the result.
std::vector<DeviceProfile> profilesOfRun(std::span<const trace::Record> records, const Plan& plan,
                                         const Costs& estimated, const arch::ModelSpec& model,
                                         const TrainingShape& shape, const Rig& rig, int32_t firstStep);

} // namespace roundpipe::plan
