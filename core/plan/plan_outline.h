// SPDX-License-Identifier: GPL-3.0-or-later
// A plan in a line, as numbers: the window words it in its user's language.
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>

namespace roundpipe::plan {

struct PlanOutline {
    int32_t numForward = 0; // stages
    int32_t fusedLayers = 0;
    int32_t numBackward = 0; // stages
    int32_t numDevices = 0;
    int32_t replicas = 1;
    int32_t withoutGateUp = 0; // layers: all is saved but gate and up
    int32_t inputOnly = 0;     // layers: the input alone is saved
    int32_t onHost = 0;        // layers: all is saved, in host memory

    // "3 forward stages, 1 fused stage of 2 layers, 4 backward stages on 2 devices", "2 replicas, each of 1 fused stage
    // of 9 layers" (what there is none of is left out), and what is not saved, or elsewhere: "…; of 5 layers the input
    // alone is saved"
    std::string text() const;
    bool operator==(const PlanOutline&) const = default;

private:
    std::string savedOtherwise() const;
};
PlanOutline outlineOf(const Plan& plan);

} // namespace roundpipe::plan
