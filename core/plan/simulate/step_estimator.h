// SPDX-License-Identifier: GPL-3.0-or-later
// A step's time by one pass over its slots: exact where transfers hide behind computing, close where they do not.
//
// The planner compares hundreds of plans by it and replays only the best on the rig (dispatch_simulation.h). Copies
// take what the link gives in the long run, weights and packets of a slot one after another; their order is not
// followed.
#pragma once

#include "plan/cost/costs.h"
#include "plan/program.h"
#include "plan/rig/rig.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan {

// Keeps references to costs and rig. One thread: it reuses its scratch.
class StepEstimator {
public:
    StepEstimator(const Costs& costs, const Rig& rig);

    // Seconds of a step: from the gradients of the one before, whose update its first layers wait for, to its own
    // (synchronous), or the mean of staleStepsMeasured() that flow into each other (one step stale).
    double seconds(const Plan& plan, const StepShape& shape);
    int32_t numStepsRun() const { return m_numStepsRun; } // by the last seconds()
    // The device for each slot of a step, each the one that ends it first: for unequal devices. Of those that it fits:
    // `fits[stage][device]`. Empty where a stage fits none.
    std::vector<DeviceId> listSchedule(const Plan& plan, const StepShape& shape,
                                       const std::vector<std::vector<bool>>& fits);

    // Of layers on a device.
    double forward(DeviceId device, LayerRange layers) const { return sum(m_forward[device.index()], layers); }
    double recompute(DeviceId device, LayerRange layers) const { return sum(m_recompute[device.index()], layers); }
    double backward(DeviceId device, LayerRange layers) const; // below the first trained layer there is none

private:
    struct DeviceClock {
        double free = 0;       // computing
        double linkFree = 0;   // uploading
        double slotEnd = 0;    // of its last slot
        double slotBefore = 0; // of the one before: its weights' memory is free then
        double busy = 0;       // computing, all steps together
    };
    // A stage's turn on a device, whichever round's.
    struct SlotCost {
        double prepare = 0; // may run before the gradient is there
        double main = 0;
        double firstUpload = 0; // seconds until the first layer can run
        double weights = 0;     // until all have landed
        double firstUpdate = 0; // from the last gradients on, until the first layer's update is done, and that of all
        double updates = 0;
        double numPacketsUp = 0; // of each microbatch
        double hopUp = 0;        // until a packet is there that the slot before has sent
        double hopDown = 0;      // until one is on the host, for the next slot
        int64_t estimate = 0;    // that it is of: which plan
    };
    using Sums = std::vector<double>; // [layer + 1]
    static double sum(const Sums& sums, LayerRange layers) {
        return sums[static_cast<std::size_t>(layers.end)] - sums[static_cast<std::size_t>(layers.begin)];
    }
    // Of a fused or backward slot's layers.
    PassTimes pass(const Plan& plan, const Slot& slot, DeviceId device) const;
    SlotCost slotCost(const Plan& plan, const Slot& slot, DeviceId device) const;
    // The same, worked out once for each plan: slots recur from round to round and from step to step.
    const SlotCost& knownCost(const Plan& plan, const Slot& slot, DeviceId device);
    void beginEstimate(const Plan& plan);
    // Runs a slot on a copy of its device's state and returns it; `ready` becomes when each microbatch leaves it.
    DeviceClock runSlot(DeviceClock state, const SlotCost& cost, DeviceId device, std::vector<double>& ready) const;
    double runStep(const Plan& plan, const Program& program);

    const Costs& m_costs;
    std::vector<Sums> m_forward, m_recompute, m_backward, m_unpack; // [device]
    Sums m_bases, m_adapters;                                       // bytes
    Sums m_updates;                                                 // seconds
    std::vector<double> m_upRate;                                   // [device], in the long run
    std::vector<double> m_hop; // [device]: half of a packet's way by the host: down or up
    std::vector<DeviceClock> m_devices;
    std::vector<double> m_ready;
    std::vector<SlotCost> m_known; // [stage][device]
    int64_t m_numEstimates = 0;
    double m_updatesFrom = 0; // when the last gradients are there of the step whose updates are waited for
    int32_t m_numStepsRun = 0;
};

} // namespace roundpipe::plan
