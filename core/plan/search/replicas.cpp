// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/replicas.h"

#include "plan/search/residents.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

// Without the rounds of the step: a part is one.
StepShape partOf(const StepShape& shape, int32_t replicas) {
    const auto shared = [&](int32_t count) { return (count + replicas - 1) / replicas; };
    return {shared(shape.mostMicrobatches()), 1, shape.oneStepStale, shared(shape.usual)};
}

} // namespace

Plan withReplicas(Plan plan, const Rig& rig, const Costs& costs, const StepShape& shape,
                  const EngineAbilities& engine) {
    plan.replicas = rig.numDevices();
    plan.tableRestarts = true;
    plan.deviceTable.clear();
    for (int32_t d = 0; d < rig.numDevices(); ++d)
        plan.deviceTable.emplace_back(d);
    plan.resident.clear();
    if (engine.residency) addResidents(plan, rig, costs, shape);
    return plan;
}

EvaluatedPlan chooseReplicas(const Rig& rig, const Costs& costs, const StepShape& shape, const SearchOptions& options) {
    const auto least = std::ranges::min_element(rig.devices, {}, &DeviceSpec::memoryBytes) - rig.devices.begin();
    const auto d = static_cast<std::size_t>(least);
    Rig alone = rig;
    alone.devices = {rig.devices[d]};
    alone.links = {rig.links[d]};
    alone.peers.clear();
    Costs costsAlone = costs;
    costsAlone.times = {costs.times[d]};
    costsAlone.contextBytes = {costs.contextBytes[d]};
    const StepShape part = partOf(shape, rig.numDevices());
    const EvaluatedPlan single = choosePlan(alone, costsAlone, {&part, 1}, options);
    return evaluatePlan(withReplicas(single.plan, rig, costs, shape, options.engine), rig, costs, shape, options);
}

} // namespace roundpipe::plan
