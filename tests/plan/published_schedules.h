// SPDX-License-Identifier: GPL-3.0-or-later
// The published simulation of schedules on equal devices, for comparison with its 25 records: a stack of equal layers,
// and hops between devices that take time but no link. Who does what in which order is the product's (boundOperations,
// trainingProgram), and so is the clock (StreamSimulation); here stand the definitions of what is measured.
#pragma once

#include "plan/compare/bound_schedules.h"

#include <cstdint>
#include <vector>

namespace roundpipe::plan::testing {

// A stack of equal layers and a head. Any one unit of time, milliseconds by custom.
struct UniformModel {
    double layerForward = 0;
    double layerBackward = 0; // without recompute
    double headForward = 0;
    double headBackward = 0;
};

struct Workload {
    UniformModel model;
    int32_t numDevices = 1;
    int32_t numMicrobatches = 1; // in a step
    double hop = 0;              // from a producer to a consumer on another device
};

// One stage's work on one microbatch. Its parts run without a gap in the order forward, recompute, backward.
struct Operation {
    DeviceId device;
    int32_t stage = 0;
    int32_t microbatch = 0;
    int32_t step = 0;
    double forward = 0;
    double recompute = 0;
    double backward = 0;
    // Inputs gate the backward only: what precedes it may run before they arrive, but directly before the backward.
    bool preparesEarly = false;
    std::vector<int32_t> inputs; // positions of the producers

    double duration() const { return forward + recompute + backward; }
    double lead() const { return preparesEarly ? forward + recompute : 0; }
};

struct Executed {
    Operation operation;
    double start = 0;
    double end = 0;
    double backwardStart() const { return end - operation.backward; }
};

// The published definitions. Times are summed over devices; fill + switching + drain + intra = bubble.
struct Statistics {
    double makespan = 0;
    double busy = 0;
    double capacity = 0; // makespan x devices
    double bubble = 0;
    double fill = 0;        // before a device's first operation
    double switching = 0;   // between a device's warm-up forwards and its first backward
    double drain = 0;       // after a device's last backward
    double intra = 0;       // the rest
    double commTotal = 0;   // every hop between devices
    double commExposed = 0; // how much later operations started because of hops
    double percent(double time) const { return capacity > 0 ? 100 * time / capacity : 0; }
};

// Which forward the switch bubble is counted from: the last of a 1F1B warm-up, (N - device)-th, or the last one before
// the first backward.
enum class SwitchRule : uint8_t { kWarmUp, kLastForward };

// Operations on the product's clock: each starts when its device is free and its inputs are there. A device runs its
// operations in order.
class Timeline {
public:
    Timeline(std::vector<Operation> operations, int32_t numDevices, double hop);

    const std::vector<Executed>& executed() const { return m_executed; }
    double hop() const { return m_hop; }
    Statistics statistics(SwitchRule rule) const;
    // Bubble percentage between the ends of steps `first` and `last`: the work of a step over the time between steps.
    double steadyBubblePercent(int32_t first, int32_t last) const;

private:
    void measureHops();

    int32_t m_numDevices;
    double m_hop;
    std::vector<Executed> m_executed;
    double m_commTotal = 0;
    double m_commExposed = 0;
};

// Stages of `stageLayers[s]` equal layers, the head with the last. `recomputesEarly`: needn't wait for the gradient;
// published baselines wait.
Timeline simulateBound(BoundSchedule schedule, const Workload& workload, const std::vector<int32_t>& stageLayers,
                       bool recomputesEarly = false);

struct RoundPipeOptions {
    int32_t roundSize = 0;          // microbatches of a round; 0: one per device
    int32_t numSteps = 1;           // one step stale: consecutive steps flow into each other
    bool headWaitsForInput = false; // published: only the head's backward waits
};

// Backward stage 0 is the fused one: the head and `backwardLayers[0]` layers (published: none), forward and backward.
// The others recompute. Forward stages hold the layers that are not fused. Throws kInvalidInput when the partitions
// disagree.
Timeline simulateRoundPipe(const Workload& workload, const std::vector<int32_t>& forwardLayers,
                           const std::vector<int32_t>& backwardLayers, const RoundPipeOptions& options = {});

} // namespace roundpipe::plan::testing
