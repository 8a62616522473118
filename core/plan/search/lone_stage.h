// SPDX-License-Identifier: GPL-3.0-or-later
// What a device needs that has one stage alone: the least with which the stage can be anywhere.
#pragma once

#include "plan/cost/costs.h"
#include "plan/plan.h"
#include "plan/rig/rig.h"
#include "plan/step_shape.h"

#include <array>
#include <cstdint>
#include <vector>

namespace roundpipe::plan {

// Of every block the input alone is saved. Keeps references to costs and shape, and what it has counted. One thread.
class LoneStage {
public:
    LoneStage(const Costs& costs, const StepShape& shape);

    // Beside what driver and libraries take. The layers of a backward stage are those that are trained.
    int64_t ownBytes(StageKind kind, LayerRange layers);
    // [stage][device]: whether a device of the rig could work on that stage alone.
    std::vector<std::vector<bool>> fittingDevices(const Plan& plan, const Rig& rig);

private:
    int64_t count(StageKind kind, LayerRange layers) const;

    const Costs& m_costs;
    const StepShape& m_shape;
    Plan m_plan;                                   // says of layers what is saved; it has no stages
    std::array<std::vector<int64_t>, 3> m_counted; // [kind][begin, end]; -1: not yet
};

} // namespace roundpipe::plan
