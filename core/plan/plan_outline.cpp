// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_outline.h"

#include <algorithm>

namespace roundpipe::plan {

std::string PlanOutline::text() const {
    const auto counted = [](int32_t count, const char* what) {
        return std::to_string(count) + " " + what + (count == 1 ? " stage" : " stages");
    };
    std::string stages = "1 fused stage of " + std::to_string(fusedLayers) + (fusedLayers == 1 ? " layer" : " layers");
    if (numForward > 0) stages = counted(numForward, "forward") + ", " + stages;
    if (numBackward > 0) stages += ", " + counted(numBackward, "backward");
    if (replicas > 1) return std::to_string(replicas) + " replicas, each of " + stages + savedOtherwise();
    return stages + " on " + std::to_string(numDevices) + (numDevices == 1 ? " device" : " devices") + savedOtherwise();
}

std::string PlanOutline::savedOtherwise() const {
    const auto counted = [](int32_t count) { return std::to_string(count) + (count == 1 ? " layer" : " layers"); };
    std::string text;
    if (withoutGateUp > 0) text += "; of " + counted(withoutGateUp) + " all but gate and up is saved";
    if (inputOnly > 0) text += "; of " + counted(inputOnly) + " the input alone is saved";
    if (onHost > 0) text += "; of " + counted(onHost) + " all is saved in host memory";
    return text;
}

PlanOutline outlineOf(const Plan& plan) {
    PlanOutline outline{static_cast<int32_t>(plan.forward.size()), plan.fused.size(),
                        static_cast<int32_t>(plan.backward.size()), 0, plan.replicas};
    for (const DeviceId device : plan.deviceTable)
        outline.numDevices = std::max(outline.numDevices, device.value + 1);
    outline.withoutGateUp = static_cast<int32_t>(std::ranges::count(plan.saving, geometry::Saving::kWithoutGateUp));
    outline.inputOnly = static_cast<int32_t>(std::ranges::count(plan.saving, geometry::Saving::kInput));
    outline.onHost = static_cast<int32_t>(std::ranges::count(plan.saving, geometry::Saving::kOnHost));
    return outline;
}

} // namespace roundpipe::plan
