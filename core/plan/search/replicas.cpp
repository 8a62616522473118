// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/replicas.h"

#include "geometry/batch_arrays.h"
#include "plan/cost/memory_table.h"
#include "plan/search/host_saving.h"
#include "plan/search/residents.h"
#include "plan/search/saving.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace roundpipe::plan {
namespace {

// Without the rounds of the step: a part is one.
StepShape partOf(const StepShape& shape, int32_t replicas) {
    const auto shared = [&](int32_t count) { return (count + replicas - 1) / replicas; };
    return {shared(shape.mostMicrobatches()), 1, shape.oneStepStale, shared(shape.usual)};
}

// Every device has the small arrays of all microbatches of a step, not of its part alone.
int64_t arraysOfOthers(const StepShape& whole, const StepShape& part, const Costs& costs) {
    const auto arrays = [&](const StepShape& shape) {
        return geometry::ProgramArrays(shape.mostMicrobatches(), costs.batchBytes).total();
    };
    return geometry::kProgramsInFlight * (arrays(whole) - arrays(part));
}

// What of the host is left for each of so many replicas that pass on what one does.
void shareHost(HostSpec& host, const Costs& costs, const StepShape& whole, const StepShape& part, int32_t replicas) {
    Plan none; // has no packets: what is needed beside them
    none.numLayers = costs.numLayers();
    none.fused = {0, none.numLayers};
    const HostMemoryTable alone = hostMemory(none, costs, part);
    none.replicas = replicas;
    const HostMemoryTable all = hostMemory(none, costs, whole);
    const auto share = [&](int64_t& bytes, int64_t takenByAll, int64_t takenAlone) {
        if (bytes > 0) bytes = takenAlone + std::max<int64_t>(0, bytes - takenByAll) / replicas;
    };
    share(host.memoryBytes, all.total(), alone.total());
    share(host.pinnedBytes, all.pinned, alone.pinned);
}

// What each of all replicas has of the host's memory and of a root complex while all of them copy, which they do at the
// same times. False where its own link is slower anyway.
bool shareRates(Rig& alone, const Rig& rig) {
    const Link& link = alone.links.front();
    const double bothWays = link.upBytesPerSecond + link.downBytesPerSecond;
    alone.host.memoryBytesPerSecond /= rig.numDevices();
    const bool isLess = alone.host.memoryBytesPerSecond < bothWays;
    if (link.root < 0) return isLess;
    const auto numSharing = static_cast<double>(std::ranges::count(rig.links, link.root, &Link::root));
    RootComplex& root = alone.roots[static_cast<std::size_t>(link.root)];
    root.upBytesPerSecond /= numSharing;
    root.downBytesPerSecond /= numSharing;
    return isLess || root.upBytesPerSecond < link.upBytesPerSecond || root.downBytesPerSecond < link.downBytesPerSecond;
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
    const StepShape part = partOf(shape, rig.numDevices());
    Rig alone = rig;
    alone.devices = {rig.devices[d]};
    alone.links = {rig.links[d]};
    alone.peers.clear();
    Costs costsAlone = costs;
    costsAlone.times = {costs.times[d]};
    costsAlone.contextBytes = {costs.contextBytes[d] + arraysOfOthers(shape, part, costs)};
    shareHost(alone.host, costs, shape, part, rig.numDevices());
    constexpr double kHardly = 1.02;
    constexpr double kHeldUp = 1.01; // the others hold it up so much, or the update does
    std::vector<EvaluatedPlan> found;
    const auto evaluate = [&](const Plan& plan) {
        found.push_back(
            evaluatePlan(withReplicas(plan, rig, costs, shape, options.engine), rig, costs, shape, options));
    };
    const auto tryBestOn = [&](const Rig& one) { // false: nothing holds it up
        const auto [single, others] = chooseAlone(one, costsAlone, part, options);
        const std::size_t first = found.size();
        evaluate(single.plan);
        if (savesOnHost(single.plan)) {
            Plan without = withoutHostSaving(single.plan);
            chooseSaving(without, one, costsAlone, part);
            evaluate(without);
        }
        if (found[first].step.stepSeconds <= kHeldUp * single.step.stepSeconds) return false;
        for (const EvaluatedPlan& other : others) // which may bear it better that all of them copy at once
            if (other.step.stepSeconds <= kHardly * single.step.stepSeconds) evaluate(other.plan);
        return true;
    };
    if (tryBestOn(alone) && shareRates(alone, rig)) tryBestOn(alone);
    const auto badness = [&](const EvaluatedPlan& plan) {
        return std::pair(!misfitOf(plan, rig).empty(), plan.step.stepSeconds);
    };
    return std::move(*std::ranges::min_element(found, {}, badness));
}

} // namespace roundpipe::plan
