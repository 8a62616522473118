// SPDX-License-Identifier: GPL-3.0-or-later
// A device's weights in a replay: what each slot has to upload, by the bookkeeping that the engine follows
// (geometry/slot_pool.h). Internal to this folder.
#pragma once

#include "geometry/slot_pool.h"
#include "plan/cost/costs.h"
#include "plan/program.h"
#include "plan/simulate/stream_simulation.h"

#include <vector>

namespace roundpipe::plan {

// The adapters that a step reads.
struct AdapterVersion {
    int32_t number = -1;          // updates before it; -1: none, they are there from the beginning
    std::vector<int32_t> updates; // [layer]: task, or -1 where nothing is updated; empty: none
};

class DeviceWeights {
public:
    // References are kept.
    DeviceWeights(const Plan& plan, const Costs& costs, DeviceId device, StreamSimulation& simulation);

    // A program's slots follow, of `step`, and probably those of another one.
    void begin(const Program& program, int32_t step, const Program& next, int32_t nextStep);
    struct Uploads {
        std::vector<int32_t> bases, adapters; // [layer of the slot]: task, or -1
    };
    // Adds the uploads that the device's next slot needs, and those ahead of what follows it. Bases need not wait for
    // anything but room; adapters wait for the update that makes `version` of their layer.
    Uploads upload(const AdapterVersion& version);
    // The slot's weights are used no longer once `lastUse` has ended.
    void giveBack(const Slot& slot, int32_t lastUse);

private:
    static constexpr int32_t kNoAdapter = -2; // number of a version
    struct SlotTasks {
        int32_t uploaded = -1; // task
        int32_t lastUse = -1;  // task
        int32_t version = kNoAdapter;
    };
    struct Coming {
        std::vector<Slot> slots;
        std::size_t numOfProgram = 0; // then those of the next one
        std::size_t now = 0;
        int32_t step = 0;
        int32_t nextStep = 0;
    };
    StreamTask task(std::size_t which, trace::Kind kind, int32_t layer = -1) const;
    void uploadBase(std::size_t forSlot, const geometry::SlotPool::Placed& placed);
    int32_t uploadAdapter(int32_t layer, const AdapterVersion& version);
    void uploadAhead();
    SlotTasks& slotOf(int32_t layer) { return m_slots[static_cast<std::size_t>(m_pool.slotOf(layer))]; }
    const geometry::LayerSizes& sizes(int32_t layer) const { return m_costs.layers[static_cast<std::size_t>(layer)]; }

    const Plan& m_plan;
    const Costs& m_costs;
    DeviceId m_device;
    StreamSimulation& m_simulation;
    geometry::SlotPool m_pool;
    std::vector<SlotTasks> m_slots;
    Coming m_coming;
};

} // namespace roundpipe::plan
