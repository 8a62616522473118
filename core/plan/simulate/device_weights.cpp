// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/device_weights.h"

#include "plan/cost/memory_table.h"
#include "plan/program.h"

#include <algorithm>
#include <numeric>

namespace roundpipe::plan {

using trace::Kind;
using trace::LaneRole;

DeviceWeights::DeviceWeights(const Plan& plan, const Costs& costs, DeviceId device, StreamSimulation& simulation)
    : m_plan(plan)
    , m_costs(costs)
    , m_device(device)
    , m_simulation(simulation)
    , m_pool(weightRoom(plan, costs, roundOn(plan, costs.firstTrainable, device)))
    , m_slots(static_cast<std::size_t>(m_pool.numSlots())) {}

void DeviceWeights::begin(const Program& program, int32_t step, const Program& next, int32_t nextStep) {
    m_coming = {{}, 0, 0, step, nextStep};
    const auto isMine = [this](const Slot& slot) { return slot.device == m_device; };
    std::ranges::copy_if(program.slots, std::back_inserter(m_coming.slots), isMine);
    m_coming.numOfProgram = m_coming.slots.size();
    std::ranges::copy_if(next.slots, std::back_inserter(m_coming.slots), isMine);
}

StreamTask DeviceWeights::task(std::size_t which, Kind kind, int32_t layer) const {
    const Slot& slot = m_coming.slots[which];
    StreamTask task;
    task.device = m_device;
    task.role = LaneRole::kWeightsUp;
    task.what.kind = kind;
    task.what.step = which < m_coming.numOfProgram ? m_coming.step : m_coming.nextStep;
    task.what.stage = slot.stage;
    task.what.slot = slot.index;
    task.what.layer = LayerId(layer);
    return task;
}

DeviceWeights::Uploads DeviceWeights::upload(const AdapterVersion& version) {
    const LayerRange range = m_coming.slots[m_coming.now].layers;
    std::vector<int32_t> layers(static_cast<std::size_t>(range.size()));
    std::iota(layers.begin(), layers.end(), range.begin);
    for (const geometry::SlotPool::Placed& placed : m_pool.acquire(layers))
        uploadBase(m_coming.now, placed);
    Uploads uploads;
    for (const int32_t layer : layers)
        uploads.bases.push_back(slotOf(layer).uploaded);
    for (const int32_t layer : layers)
        uploads.adapters.push_back(uploadAdapter(layer, version));
    ++m_coming.now;
    uploadAhead();
    return uploads;
}

void DeviceWeights::uploadBase(std::size_t forSlot, const geometry::SlotPool::Placed& placed) {
    SlotTasks& into = m_slots[static_cast<std::size_t>(placed.slot)];
    into.version = kNoAdapter;
    into.uploaded = -1;
    if (sizes(placed.layer).baseUp == 0) return;
    StreamTask copy = task(forSlot, Kind::kUploadWeights, placed.layer);
    copy.bytes = sizes(placed.layer).baseUp;
    const std::vector<int32_t> inputs(into.lastUse >= 0 ? 1 : 0, into.lastUse);
    into.uploaded = m_simulation.add(copy, inputs);
}

int32_t DeviceWeights::uploadAdapter(int32_t layer, const AdapterVersion& version) {
    SlotTasks& into = slotOf(layer);
    if (sizes(layer).adapterUp == 0 || into.version == version.number) return -1;
    into.version = version.number;
    StreamTask copy = task(m_coming.now, Kind::kUploadAdapter, layer);
    copy.bytes = sizes(layer).adapterUp;
    std::vector<int32_t> inputs;
    if (into.lastUse >= 0) inputs.push_back(into.lastUse);
    if (!version.updates.empty()) inputs.push_back(version.updates[static_cast<std::size_t>(layer)]);
    return m_simulation.add(copy, inputs);
}

void DeviceWeights::uploadAhead() {
    const std::vector<LayerAhead> ahead =
        layersFarAhead(m_plan, m_device, std::span<const Slot>(m_coming.slots).subspan(m_coming.now),
                       [this](int32_t layer) { return m_pool.slotOf(layer) >= 0; });
    std::vector<int32_t> layers;
    for (const LayerAhead& one : ahead)
        layers.push_back(one.layer);
    layers.resize(m_pool.withRoom(layers));
    for (const geometry::SlotPool::Placed& placed : m_pool.prefetch(layers)) {
        const auto which = static_cast<std::size_t>(std::ranges::find(layers, placed.layer) - layers.begin());
        uploadBase(static_cast<std::size_t>(ahead[which].slot - m_coming.slots.data()), placed);
    }
}

// In the order in which the slot's last microbatch uses them for the last time.
void DeviceWeights::giveBack(const Slot& slot, int32_t lastUse) {
    const bool isForward = slot.work == Work::kForward || slot.work == Work::kEvaluate;
    const int32_t firstTrained =
        isForward ? slot.layers.end : std::clamp(m_costs.firstTrainable, slot.layers.begin, slot.layers.end);
    const auto giveBackLayer = [&](int32_t layer) {
        slotOf(layer).lastUse = lastUse;
        m_pool.release(layer);
    };
    for (int32_t l = slot.layers.begin; l < firstTrained; ++l)
        giveBackLayer(l);
    for (int32_t l = slot.layers.end - 1; l >= firstTrained; --l)
        giveBackLayer(l);
}

} // namespace roundpipe::plan
