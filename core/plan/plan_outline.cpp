// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_outline.h"

#include "base/counted.h"

#include <algorithm>

namespace roundpipe::plan {

void SavedOtherwise::add(geometry::LayerSaving saving) {
    using geometry::Saving;
    if (saving.what == Saving::kWithoutGateUp)
        ++(saving.onHost ? withoutGateUpOnHost : withoutGateUp);
    else if (saving.what == Saving::kInput)
        ++(saving.onHost ? inputOnHost : inputOnly);
    else if (saving.onHost)
        ++allOnHost;
}

namespace {

std::string textOf(const SavedOtherwise& saved) {
    std::string text;
    const auto add = [&](int32_t count, const char* what) {
        if (count > 0) text += "; of " + std::to_string(count) + (count == 1 ? " layer " : " layers ") + what;
    };
    add(saved.withoutGateUp, "all but gate and up is saved");
    add(saved.inputOnly, "the input alone is saved");
    add(saved.allOnHost, "all is saved in host memory");
    add(saved.withoutGateUpOnHost, "all but gate and up is saved in host memory");
    add(saved.inputOnHost, "the input alone is saved in host memory");
    return text;
}

} // namespace

std::string PlanOutline::text() const {
    std::string stages = "1 fused stage of " + counted(fusedLayers, "layer");
    if (numForward > 0) stages = counted(numForward, "forward stage") + ", " + stages;
    if (numBackward > 0) stages += ", " + counted(numBackward, "backward stage");
    if (replicas > 1) return std::to_string(replicas) + " replicas, each of " + stages + textOf(saved);
    return stages + " on " + counted(numDevices, "device") + textOf(saved);
}

PlanOutline outlineOf(const Plan& plan) {
    PlanOutline outline{static_cast<int32_t>(plan.forward.size()),
                        plan.fused.size(),
                        static_cast<int32_t>(plan.backward.size()),
                        0,
                        plan.replicas,
                        {}};
    for (const DeviceId device : plan.deviceTable)
        outline.numDevices = std::max(outline.numDevices, device.value + 1);
    for (const geometry::LayerSaving saving : plan.saving)
        outline.saved.add(saving);
    return outline;
}

} // namespace roundpipe::plan
