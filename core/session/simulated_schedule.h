// The order and the times that a plan's slots, transfers and updates would take on made-up devices.
#pragma once

#include "session/engine.h"
#include "trace/record.h"

#include <cstdint>
#include <vector>

namespace roundpipe::session {

// A machine that never was: rates are chosen so that a small model's step takes a good part of a second, slow enough to
// watch.
struct SimulatedRig {
    double speed = 1;                    // divides every time
    int64_t forwardNs = 2'000'000;       // of one layer and microbatch; recompute takes as long, backward twice
    double bytesPerNs = 0.15;            // of each transfer lane
    int64_t activationBytes = 256 << 10; // of one microbatch at a stage's border
    int64_t updateNs = 700'000;          // of one layer
};

// Replays the plan step after step: slots round-robin over the devices, weights uploaded ahead layer by layer,
// activations through the host, gradients down and updates behind, the next step's uploads waiting for them.
// Deterministic. Not thread-safe.
class SimulatedSchedule {
public:
    SimulatedSchedule(const RunPlan& plan, int32_t numMicrobatches, SimulatedRig rig = {});

    // The records of step `step` (counted from 0), in the order of their ends; nothing starts before `startNs`.
    std::vector<trace::Record> nextStep(int32_t step, int64_t startNs);
    // A forward pass of `numMicrobatches` validation microbatches, after all that came before.
    std::vector<trace::Record> nextEvaluation(int32_t step, int64_t startNs);

private:
    struct Slot {
        plan::Stage stage;
        int32_t index = 0;
        DeviceId device;
    };
    void runSlot(const Slot& slot, int32_t step, bool evaluating, std::vector<int64_t>& packetReadyNs);
    std::vector<int64_t> uploadWeights(const Slot& slot, int32_t step);
    void updateLayers(const Slot& slot, int32_t step, int64_t computedNs);
    int64_t computeNs(const Slot& slot, trace::Kind kind, int32_t step, int32_t microbatch) const;
    int64_t transferNs(int64_t bytes) const;
    // Appends a record to a lane that is free again at its end; returns that end.
    int64_t put(LaneId lane, trace::Kind kind, int64_t queuedNs, int64_t durationNs, trace::Record ids);

    const RunPlan& m_plan;
    int32_t m_numMicrobatches;
    SimulatedRig m_rig;
    std::vector<plan::Stage> m_stages;
    int64_t m_numSlots = 0;               // dispatched since the start
    std::vector<int64_t> m_laneFreeNs;    // by lane
    std::vector<int64_t> m_slotStartNs;   // by device: when its running slot began to compute
    std::vector<int64_t> m_layerReadyNs;  // by layer: when its last update was done
    std::vector<trace::Record> m_records; // of the step being made
};

} // namespace roundpipe::session
