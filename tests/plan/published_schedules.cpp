// SPDX-License-Identifier: GPL-3.0-or-later
#include "published_schedules.h"

#include "plan/program.h"
#include "plan/simulate/stream_simulation.h"

#include <algorithm>
#include <map>
#include <utility>

namespace roundpipe::plan::testing {
namespace {

bool isRemote(const Operation& producer, const Operation& consumer) {
    return producer.device != consumer.device;
}

struct DeviceBubbles {
    double fill = 0;
    double switching = 0;
    double drain = 0;
};

// Idle time after `from` and before `until`.
double idleBetween(const std::vector<Executed>& operations, double from, double until) {
    double busy = 0;
    for (const Executed& e : operations)
        busy += std::max(0.0, std::min(e.end, until) - std::max(e.start, from));
    return std::max(0.0, until - from - busy);
}

double switchIdle(const std::vector<Executed>& operations, std::size_t numWarmUp, SwitchRule rule) {
    const auto isBackward = [](const Executed& e) { return e.operation.backward > 0; };
    const auto first = std::find_if(operations.begin(), operations.end(), isBackward);
    if (first == operations.end() || first == operations.begin()) return 0;
    const auto numForwards = static_cast<std::size_t>(first - operations.begin());
    const std::size_t last = rule == SwitchRule::kWarmUp ? std::min(numWarmUp, numForwards) : numForwards;
    return idleBetween(operations, operations[last - 1].end, first->backwardStart());
}

// `operations` of one device in order, none empty.
DeviceBubbles bubblesOf(const std::vector<Executed>& operations, std::size_t numWarmUp, SwitchRule rule,
                        double makespan) {
    if (operations.empty()) return {makespan, 0, 0};
    double lastBackward = operations.front().start;
    for (const Executed& e : operations)
        if (e.operation.backward > 0) lastBackward = e.end;
    return {operations.front().start, switchIdle(operations, numWarmUp, rule), makespan - lastBackward};
}

} // namespace

// Hops run side by side: each on a device of its own beyond the real ones.
Timeline::Timeline(std::vector<Operation> operations, int32_t numDevices, double hop)
    : m_numDevices(numDevices), m_hop(hop) {
    std::size_t numInputs = 0;
    for (const Operation& op : operations)
        numInputs += op.inputs.size();
    Rig rig;
    rig.devices.resize(static_cast<std::size_t>(numDevices) + numInputs);
    int32_t nextHop = numDevices;

    StreamSimulation simulation(rig, false);
    std::vector<int32_t> done;
    const auto add = [&](DeviceId device, double seconds, std::vector<int32_t> inputs) {
        StreamTask task;
        task.device = device;
        task.seconds = seconds;
        return simulation.add(task, inputs);
    };
    for (const Operation& op : operations) {
        std::vector<int32_t> inputs;
        for (const int32_t input : op.inputs) {
            const auto i = static_cast<std::size_t>(input);
            inputs.push_back(isRemote(operations[i], op) ? add(DeviceId(nextHop++), hop, {done[i]}) : done[i]);
        }
        if (op.preparesEarly) add(op.device, op.lead(), {});
        done.push_back(add(op.device, op.duration() - op.lead(), inputs));
    }
    simulation.run();
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const double end = simulation.endOf(done[i]);
        const double start = end - operations[i].duration();
        m_executed.push_back({std::move(operations[i]), start, end});
    }
    measureHops();
}

void Timeline::measureHops() {
    std::vector<double> free(static_cast<std::size_t>(m_numDevices));
    for (const Executed& e : m_executed) {
        double readyWithHops = 0, readyWithout = 0;
        for (const int32_t input : e.operation.inputs) {
            const Executed& producer = m_executed[static_cast<std::size_t>(input)];
            const double hop = isRemote(producer.operation, e.operation) ? m_hop : 0;
            m_commTotal += hop;
            readyWithHops = std::max(readyWithHops, producer.end + hop);
            readyWithout = std::max(readyWithout, producer.end);
        }
        double& deviceFree = free[e.operation.device.index()];
        m_commExposed += std::max(deviceFree, readyWithHops - e.operation.lead()) -
                         std::max(deviceFree, readyWithout - e.operation.lead());
        deviceFree = e.end;
    }
}

Statistics Timeline::statistics(SwitchRule rule) const {
    Statistics s;
    std::vector<std::vector<Executed>> perDevice(static_cast<std::size_t>(m_numDevices));
    for (const Executed& e : m_executed) {
        if (e.operation.duration() <= 0) continue; // an empty stage leaves no trace
        perDevice[e.operation.device.index()].push_back(e);
        s.makespan = std::max(s.makespan, e.end);
        s.busy += e.operation.duration();
    }
    for (std::size_t d = 0; d < perDevice.size(); ++d) {
        const DeviceBubbles b = bubblesOf(perDevice[d], perDevice.size() - d, rule, s.makespan);
        s.fill += b.fill;
        s.switching += b.switching;
        s.drain += b.drain;
    }
    s.capacity = s.makespan * m_numDevices;
    s.bubble = s.capacity - s.busy;
    s.intra = s.bubble - s.fill - s.switching - s.drain;
    s.commTotal = m_commTotal;
    s.commExposed = m_commExposed;
    return s;
}

double Timeline::steadyBubblePercent(int32_t first, int32_t last) const {
    double firstEnd = 0;
    double lastEnd = 0;
    double busy = 0;
    for (const Executed& e : m_executed) {
        if (e.operation.step == first) firstEnd = std::max(firstEnd, e.end);
        if (e.operation.step == last) lastEnd = std::max(lastEnd, e.end);
        if (e.operation.step > first && e.operation.step <= last) busy += e.operation.duration();
    }
    return 100 * (1 - busy / ((lastEnd - firstEnd) * m_numDevices));
}

Timeline simulateBound(BoundSchedule schedule, const Workload& workload, const std::vector<int32_t>& stageLayers,
                       bool recomputesEarly) {
    const UniformModel& model = workload.model;
    const auto numStages = static_cast<int32_t>(stageLayers.size());
    std::vector<Operation> operations;
    for (BoundOperation& bound : boundOperations(schedule, numStages, workload.numDevices, workload.numMicrobatches)) {
        const bool last = bound.stage + 1 == numStages;
        const double layers = stageLayers[static_cast<std::size_t>(bound.stage)];
        Operation op;
        op.device = bound.device;
        op.stage = bound.backward ? 2 * numStages - 1 - bound.stage : bound.stage;
        op.microbatch = bound.microbatch;
        const double forward = layers * model.layerForward;
        if (bound.backward) {
            op.recompute = forward;
            op.backward = layers * model.layerBackward + (last ? model.headBackward : 0);
            op.preparesEarly = recomputesEarly && !last;
        } else {
            op.forward = forward + (last ? model.headForward : 0);
        }
        op.inputs = std::move(bound.inputs);
        operations.push_back(std::move(op));
    }
    return Timeline(std::move(operations), workload.numDevices, workload.hop);
}

namespace {

// The head is a layer of its own, with the fused stage.
Plan planOf(const std::vector<int32_t>& forwardLayers, const std::vector<int32_t>& backwardLayers, int32_t numDevices) {
    Plan plan;
    int32_t begin = 0;
    for (const int32_t size : forwardLayers) {
        plan.forward.push_back({begin, begin + size});
        begin += size;
    }
    plan.numLayers = begin + backwardLayers.front() + 1;
    plan.fused = {begin, plan.numLayers};
    int32_t end = begin;
    for (std::size_t j = 1; j < backwardLayers.size(); ++j) {
        plan.backward.push_back({end - backwardLayers[j], end});
        end -= backwardLayers[j];
    }
    for (int32_t d = 0; d < numDevices; ++d)
        plan.deviceTable.emplace_back(d);
    validate(plan, 0);
    return plan;
}

Operation operationOf(const Slot& slot, const UniformModel& model, bool headWaits) {
    Operation op;
    op.device = slot.device;
    op.stage = slot.stage.value;
    const bool fused = slot.work == Work::kFused;
    const double layers = slot.layers.size() - (fused ? 1 : 0);
    const double forward = layers * model.layerForward;
    if (slot.work == Work::kBackward)
        op.recompute = forward;
    else
        op.forward = forward + (fused ? model.headForward : 0);
    if (slot.work == Work::kForward) return op;
    op.backward = layers * model.layerBackward + (fused ? model.headBackward : 0);
    op.preparesEarly = !fused || !headWaits;
    return op;
}

} // namespace

Timeline simulateRoundPipe(const Workload& workload, const std::vector<int32_t>& forwardLayers,
                           const std::vector<int32_t>& backwardLayers, const RoundPipeOptions& options) {
    const Plan plan = planOf(forwardLayers, backwardLayers, workload.numDevices);
    const int32_t roundSize = options.roundSize > 0 ? options.roundSize : workload.numDevices;
    std::vector<Operation> operations;
    int64_t slotsBefore = 0;
    for (int32_t step = 0; step < options.numSteps; ++step) {
        const Program program = trainingProgram(plan, 0, workload.numMicrobatches, roundSize, slotsBefore);
        slotsBefore += program.numSlots();
        // By microbatch: its last operation, and the last one forward, from which every backward stage takes a hop.
        std::map<int32_t, int32_t> previous, lastForward;
        for (const Slot& slot : program.slots)
            for (int32_t m = program.firstMicrobatch(slot); m < program.endMicrobatch(slot); ++m) {
                Operation op = operationOf(slot, workload.model, options.headWaitsForInput);
                op.microbatch = m;
                op.step = step;
                if (const auto found = previous.find(m); found != previous.end()) op.inputs.push_back(found->second);
                if (slot.work == Work::kBackward) op.inputs.insert(op.inputs.begin(), lastForward.at(m));
                const auto index = static_cast<int32_t>(operations.size());
                previous[m] = index;
                if (slot.work == Work::kForward) lastForward[m] = index;
                operations.push_back(std::move(op));
            }
    }
    return Timeline(std::move(operations), workload.numDevices, workload.hop);
}

} // namespace roundpipe::plan::testing
