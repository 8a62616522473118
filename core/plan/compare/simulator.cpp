#include "plan/compare/simulator.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace roundpipe::plan {
namespace {

bool isTime(double value) {
    return std::isfinite(value) && value >= 0;
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

Replay::Replay(int32_t numDevices, double hop) : m_hop(hop) {
    if (numDevices < 1) throw invalidInput("a simulation needs at least one device");
    if (!isTime(hop)) throw invalidInput("the time of a hop between devices must be zero or more");
    m_free.resize(static_cast<std::size_t>(numDevices));
}

double Replay::inputsReady(const Operation& operation, bool withHops) const {
    double ready = 0;
    for (int32_t input : operation.inputs) {
        const Executed& producer = m_executed[static_cast<std::size_t>(input)];
        const bool remote = producer.operation.device != operation.device;
        ready = std::max(ready, producer.end + (withHops && remote ? m_hop : 0));
    }
    return ready;
}

int32_t Replay::run(Operation operation) {
    const auto index = static_cast<int32_t>(m_executed.size());
    const std::string name = "operation " + std::to_string(index);
    if (!operation.device.valid() || operation.device.value >= numDevices())
        throw invalidInput(name + " is on device " + std::to_string(operation.device.value) + " of " +
                           std::to_string(numDevices()));
    if (!isTime(operation.forward) || !isTime(operation.recompute) || !isTime(operation.backward))
        throw invalidInput(name + " has a negative or unreal duration");
    for (int32_t input : operation.inputs) {
        if (input < 0 || input >= index) throw invalidInput(name + " needs an operation that has not run");
        if (m_executed[static_cast<std::size_t>(input)].operation.device != operation.device) m_commTotal += m_hop;
    }

    double& free = m_free[operation.device.index()];
    const double lead = operation.preparesEarly ? operation.forward + operation.recompute : 0;
    const double start = std::max(free, inputsReady(operation, true) - lead);
    m_commExposed += start - std::max(free, inputsReady(operation, false) - lead);
    free = start + operation.duration();
    m_executed.push_back({std::move(operation), start, free});
    return index;
}

DeviceId Replay::firstFreeDevice() const {
    return DeviceId(static_cast<int32_t>(std::min_element(m_free.begin(), m_free.end()) - m_free.begin()));
}

Statistics Replay::statistics(SwitchRule rule) const {
    Statistics s;
    std::vector<std::vector<Executed>> perDevice(m_free.size());
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
    s.capacity = s.makespan * numDevices();
    s.bubble = s.capacity - s.busy;
    s.intra = s.bubble - s.fill - s.switching - s.drain;
    s.commTotal = m_commTotal;
    s.commExposed = m_commExposed;
    return s;
}

double Replay::steadyBubblePercent(int32_t first, int32_t last) const {
    double firstEnd = 0;
    double lastEnd = 0;
    double busy = 0;
    for (const Executed& e : m_executed) {
        if (e.operation.step == first) firstEnd = std::max(firstEnd, e.end);
        if (e.operation.step == last) lastEnd = std::max(lastEnd, e.end);
        if (e.operation.step > first && e.operation.step <= last) busy += e.operation.duration();
    }
    if (lastEnd <= firstEnd) throw invalidInput("the steady state needs two different steps of the simulation");
    return 100 * (1 - busy / ((lastEnd - firstEnd) * numDevices()));
}

std::vector<trace::Record> Replay::records(double nsPerUnit) const {
    std::vector<trace::Record> records;
    for (const Executed& e : m_executed) {
        double at = e.start;
        const auto add = [&](trace::Kind kind, double duration) {
            if (duration <= 0) return;
            trace::Record r;
            r.startNs = std::llround(at * nsPerUnit);
            r.endNs = std::llround((at + duration) * nsPerUnit);
            r.queuedNs = r.startNs;
            r.lane = trace::laneOf(e.operation.device, trace::LaneRole::kCompute);
            r.step = e.operation.step;
            r.stage = e.operation.stage;
            r.microbatch = e.operation.microbatch;
            r.kind = kind;
            records.push_back(r);
            at += duration;
        };
        add(trace::Kind::kForward, e.operation.forward);
        add(trace::Kind::kRecompute, e.operation.recompute);
        add(trace::Kind::kBackward, e.operation.backward);
    }
    return records;
}

} // namespace roundpipe::plan
