// SPDX-License-Identifier: GPL-3.0-or-later
// A plan in a line, as numbers: the window words it in its user's language.
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>

namespace roundpipe::plan {

// Layers of which not all is saved on the device, by what is.
struct SavedOtherwise {
    int32_t withoutGateUp = 0; // all but gate and up
    int32_t inputOnly = 0;
    int32_t allOnHost = 0; // and in host memory
    int32_t withoutGateUpOnHost = 0;
    int32_t inputOnHost = 0;

    void add(geometry::LayerSaving saving);
    int32_t onHost() const { return allOnHost + withoutGateUpOnHost + inputOnHost; }
    bool operator==(const SavedOtherwise&) const = default;
};

struct PlanOutline {
    int32_t numForward = 0; // stages
    int32_t fusedLayers = 0;
    int32_t numBackward = 0; // stages
    int32_t numDevices = 0;
    int32_t replicas = 1;
    SavedOtherwise saved;

    // "3 forward stages, 1 fused stage of 2 layers, 4 backward stages on 2 devices", "2 replicas, each of 1 fused stage
    // of 9 layers" (what there is none of is left out), and what is not saved, or elsewhere: "…; of 5 layers the input
    // alone is saved"
    std::string text() const;
    bool operator==(const PlanOutline&) const = default;
};
PlanOutline outlineOf(const Plan& plan);

} // namespace roundpipe::plan
