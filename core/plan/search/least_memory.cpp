// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/least_memory.h"

#include "plan/cost/memory_table.h"
#include "plan/search/lone_stage.h"
#include "plan/search/saving.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace roundpipe::plan {
namespace {

// What a device has beside its driver and libraries: all else that a plan takes is the same on any.
int64_t roomOf(const Rig& rig, const Costs& costs, int32_t device) {
    const auto d = static_cast<std::size_t>(device);
    return rig.devices[d].memoryBytes - costs.contextBytes[d];
}

std::vector<DeviceId> roomiestDevices(const Rig& rig, const Costs& costs) {
    int64_t most = roomOf(rig, costs, 0);
    for (int32_t d = 1; d < rig.numDevices(); ++d)
        most = std::max(most, roomOf(rig, costs, d));
    std::vector<DeviceId> devices;
    for (int32_t d = 0; d < rig.numDevices(); ++d)
        if (roomOf(rig, costs, d) == most) devices.emplace_back(d);
    return devices;
}

// As large as they go from the last layer on, which makes the fewest, as a part of a stage takes no more than the
// whole. Nothing: a layer is too large.
std::optional<Plan> fewestStages(LoneStage& stage, const Costs& costs, int64_t room) {
    Plan plan;
    plan.numLayers = costs.numLayers();
    const auto largest = [](int32_t end, int32_t lowest, const auto& holds) {
        int32_t begin = end;
        while (begin > lowest && holds(LayerRange{begin - 1, end}))
            --begin;
        return LayerRange{begin, end};
    };
    const auto backward = [&](LayerRange layers) {
        const bool isFused = layers.end == plan.numLayers;
        return stage.ownBytes(isFused ? StageKind::kFused : StageKind::kBackward, layers) <= room;
    };
    const auto forward = [&](LayerRange layers) { return stage.ownBytes(StageKind::kForward, layers) <= room; };
    plan.fused = largest(plan.numLayers, 0, backward);
    if (plan.fused.size() == 0) return std::nullopt;
    const int32_t lowest = std::min(costs.firstTrainable, plan.fused.begin);
    for (int32_t end = plan.fused.begin; end > lowest; end = plan.backward.back().begin) {
        const LayerRange layers = largest(end, lowest, backward);
        if (layers.size() == 0) return std::nullopt;
        plan.backward.push_back(layers);
    }
    plan.forward = plan.backward;
    for (int32_t end = lowest; end > 0; end = plan.forward.back().begin) {
        const LayerRange layers = largest(end, 0, forward);
        if (layers.size() == 0) return std::nullopt;
        plan.forward.push_back(layers);
    }
    std::ranges::reverse(plan.forward);
    return plan;
}

// Stages of `size` layers from the last one on, the first ones what is left.
Plan planOfEqualStages(const Costs& costs, int32_t size) {
    Plan plan;
    plan.numLayers = costs.numLayers();
    plan.saving = leastSaving(costs);
    plan.fused = {std::max(0, plan.numLayers - size), plan.numLayers};
    const int32_t lowest = std::min(costs.firstTrainable, plan.fused.begin);
    for (int32_t end = plan.fused.begin; end > lowest; end = plan.backward.back().begin)
        plan.backward.push_back({std::max(lowest, end - size), end});
    plan.forward = plan.backward;
    for (int32_t end = lowest; end > 0; end = plan.forward.back().begin)
        plan.forward.push_back({std::max(0, end - size), end});
    std::ranges::reverse(plan.forward);
    return plan;
}

bool devicesHold(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    for (int32_t d = 0; d < rig.numDevices(); ++d)
        if (deviceMemory(plan, costs, shape, DeviceId(d)).total() >
            rig.devices[static_cast<std::size_t>(d)].memoryBytes)
            return false;
    return true;
}

} // namespace

bool hostHolds(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    const auto isThere = [&](const HostMemoryTable& needed) {
        const auto holds = [](int64_t available, int64_t bytes) { return available <= 0 || bytes <= available; };
        return holds(rig.host.memoryBytes, needed.total()) && holds(rig.host.pinnedBytes, needed.pinned) &&
               holds(rig.host.diskBytes, needed.disk);
    };
    return isThere(hostMemoryAtMost(plan, costs, shape)) || isThere(hostMemory(plan, costs, shape));
}

bool fits(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    return devicesHold(plan, rig, costs, shape) && hostHolds(plan, rig, costs, shape);
}

bool fitsNowhere(const Rig& rig, const Costs& costs, const StepShape& shape) {
    LoneStage stage(costs, shape);
    const auto plan = fewestStages(stage, costs, roomOf(rig, costs, roomiestDevices(rig, costs).front().value));
    return !plan || !hostHolds(*plan, rig, costs, shape);
}

bool hostHoldsAnyCuts(const Rig& rig, const Costs& costs, const StepShape& shape) {
    Plan plan = planOfEqualStages(costs, 1);
    for (int32_t d = 0; d < rig.numDevices(); ++d)
        plan.deviceTable.emplace_back(d);
    return hostHolds(plan, rig, costs, shape);
}

Plan planOfLeastMemory(const Rig& rig, const Costs& costs, const StepShape& shape) {
    const auto planOf = [&](int32_t size) {
        Plan plan = planOfEqualStages(costs, size);
        plan.deviceTable = roomiestDevices(rig, costs);
        return plan;
    };
    const auto devicesHoldStagesOf = [&](int32_t size) { return devicesHold(planOf(size), rig, costs, shape); };
    Plan single = planOf(1);
    if (!devicesHold(single, rig, costs, shape)) {
        single.deviceTable.clear(); // which of them are too small
        for (int32_t d = 0; d < rig.numDevices(); ++d)
            single.deviceTable.emplace_back(d);
        return single;
    }
    if (hostHolds(single, rig, costs, shape)) return single;
    int32_t size = 1;
    for (int32_t tooLarge = costs.numLayers() + 1; size + 1 < tooLarge;) {
        const int32_t tried = std::midpoint(size, tooLarge);
        (devicesHoldStagesOf(tried) ? size : tooLarge) = tried;
    }
    return planOf(size);
}

} // namespace roundpipe::plan
