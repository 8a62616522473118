// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_outline.h"

#include <algorithm>

namespace roundpipe::plan {

std::string PlanOutline::text() const {
    const auto counted = [](int32_t count, const char* what) {
        return std::to_string(count) + " " + what + (count == 1 ? " stage" : " stages");
    };
    const std::string stages = counted(numForward, "forward") + ", 1 fused stage of " + std::to_string(fusedLayers) +
                               (fusedLayers == 1 ? " layer, " : " layers, ") + counted(numBackward, "backward");
    if (replicas > 1) return std::to_string(replicas) + " replicas, each of " + stages;
    return stages + " on " + std::to_string(numDevices) + (numDevices == 1 ? " device" : " devices");
}

PlanOutline outlineOf(const Plan& plan) {
    PlanOutline outline{static_cast<int32_t>(plan.forward.size()), plan.fused.size(),
                        static_cast<int32_t>(plan.backward.size()), 0, plan.replicas};
    for (const DeviceId device : plan.deviceTable)
        outline.numDevices = std::max(outline.numDevices, device.value + 1);
    return outline;
}

} // namespace roundpipe::plan
