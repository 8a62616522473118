// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/lone_stage.h"

#include "plan/cost/memory_table.h"
#include "plan/program.h"
#include "plan/search/saving.h"

namespace roundpipe::plan {

LoneStage::LoneStage(const Costs& costs, const StepShape& shape) : m_costs(costs), m_shape(shape) {
    m_plan.numLayers = costs.numLayers();
    m_plan.saving = leastSaving(costs);
}

int64_t LoneStage::ownBytes(StageKind kind, LayerRange layers) {
    const auto numLayers = static_cast<std::size_t>(m_costs.numLayers());
    std::vector<int64_t>& ofKind = m_counted[static_cast<std::size_t>(kind)];
    if (ofKind.empty()) ofKind.assign(numLayers * numLayers, -1);
    int64_t& counted =
        ofKind[static_cast<std::size_t>(layers.begin) * numLayers + static_cast<std::size_t>(layers.end - 1)];
    if (counted < 0) counted = count(kind, layers);
    return counted;
}

std::vector<std::vector<bool>> LoneStage::fittingDevices(const Plan& plan, const Rig& rig) {
    std::vector<std::vector<bool>> fitting(static_cast<std::size_t>(plan.numStages()));
    for (const Slot& slot : slotsOfRound(plan, m_costs.firstTrainable)) {
        const int64_t bytes = ownBytes(static_cast<StageKind>(slot.work), slot.layers);
        for (std::size_t d = 0; d < rig.devices.size(); ++d)
            fitting[slot.stage.index()].push_back(bytes + m_costs.contextBytes[d] <= rig.devices[d].memoryBytes);
    }
    return fitting;
}

int64_t LoneStage::count(StageKind kind, LayerRange layers) const {
    Slot slot;
    slot.work = static_cast<Work>(kind);
    slot.layers = layers;
    slot.device = DeviceId(0); // any: bytes of its own are the same on all
    geometry::DeviceNeeds needs = deviceNeeds(m_plan, m_costs, m_shape, DeviceRound{slot.device, {slot}, {{slot}}});
    needs.gradients[1] = 0; // the slots that it takes turns with may have hardly any
    return deviceMemory(needs, m_costs, slot.device).ownBytes();
}

} // namespace roundpipe::plan
