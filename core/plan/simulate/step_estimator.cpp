// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/step_estimator.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace roundpipe::plan {
namespace {

// What a link gets while all of them work: its own rate, its part of its root complex, its part of the host's memory.
double longRunUpRate(const Rig& rig, const Link& link) {
    double rate = link.upBytesPerSecond;
    if (!link.duplex) rate = std::max(link.upBytesPerSecond, link.downBytesPerSecond);
    if (link.root >= 0) {
        const auto shares = std::ranges::count(rig.links, link.root, &Link::root);
        const RootComplex& root = rig.roots[static_cast<std::size_t>(link.root)];
        const double all =
            root.duplex ? root.upBytesPerSecond : std::max(root.upBytesPerSecond, root.downBytesPerSecond);
        rate = std::min(rate, all / static_cast<double>(shares));
    }
    return std::min(rate, rig.host.memoryBytesPerSecond / static_cast<double>(rig.links.size()));
}

constexpr int32_t kFillingSteps = 2;
constexpr double kNoUpdate = -std::numeric_limits<double>::infinity(); // that has to be waited for

} // namespace

StepEstimator::StepEstimator(const Costs& costs, const Rig& rig) : m_costs(costs) {
    const auto numLayers = static_cast<std::size_t>(costs.numLayers());
    for (std::size_t d = 0; d < rig.devices.size(); ++d) {
        Sums forward(numLayers + 1), recompute(numLayers + 1), backward(numLayers + 1), unpack(numLayers + 1);
        for (std::size_t l = 0; l < numLayers; ++l) {
            const LayerTimes& t = costs.times[d][l];
            const bool trains = static_cast<int32_t>(l) >= costs.firstTrainable;
            forward[l + 1] = forward[l] + t.forward;
            unpack[l + 1] = unpack[l] + t.unpack;
            recompute[l + 1] = recompute[l] + t.recompute;
            backward[l + 1] = backward[l] + (trains ? t.backward : 0);
        }
        m_unpack.push_back(std::move(unpack));
        m_forward.push_back(std::move(forward));
        m_recompute.push_back(std::move(recompute));
        m_backward.push_back(std::move(backward));
        const Link& link = rig.links[d];
        m_upRate.push_back(longRunUpRate(rig, link));
        m_hop.push_back(link.latencySeconds + static_cast<double>(costs.packetBytes) / link.upBytesPerSecond);
    }
    m_updates.resize(numLayers + 1);
    std::partial_sum(costs.updateSeconds.begin(), costs.updateSeconds.end(), m_updates.begin() + 1);
    m_bases.resize(numLayers + 1);
    m_adapters.resize(numLayers + 1);
    for (std::size_t l = 0; l < numLayers; ++l) {
        m_bases[l + 1] = m_bases[l] + static_cast<double>(costs.layers[l].baseUp);
        m_adapters[l + 1] = m_adapters[l] + static_cast<double>(costs.layers[l].adapterUp);
    }
}

double StepEstimator::backward(DeviceId device, LayerRange layers) const {
    return sum(m_backward[device.index()], layers);
}

PassTimes StepEstimator::pass(const Plan& plan, const Slot& slot, DeviceId device) const {
    const LayerRange layers = slot.layers;
    PassTimes sum{recompute(device, layers), backward(device, layers)};
    // Layers of which not all is saved, and the one whose output nobody reads.
    const auto correct = [&](int32_t layer, bool makesOutput) {
        const LayerTimes& times = m_costs.times[device.index()][static_cast<std::size_t>(layer)];
        const PassTimes one = passTimes(times, plan.savingOf(layer), makesOutput);
        sum.forward += one.forward - times.recompute;
        sum.backward += one.backward - times.backward;
    };
    const auto kind = static_cast<StageKind>(slot.work);
    if (!plan.saving.empty())
        for (int32_t l = std::max(layers.begin, m_costs.firstTrainable); l + 1 < layers.end; ++l)
            correct(l, makesOutput(kind, layers, l, plan.saving));
    correct(layers.end - 1, slot.work == Work::kFused);
    return sum;
}

StepEstimator::SlotCost StepEstimator::slotCost(const Plan& plan, const Slot& slot, DeviceId device) const {
    SlotCost cost;
    const LayerRange layers = slot.layers;
    const bool isBackward = slot.work == Work::kBackward;
    const bool readsInput = layers.begin > 0 && (isBackward || !plan.keepsPackets); // from the host
    const bool readsGradient = isBackward && !plan.keepsPackets;
    cost.numPacketsUp = (readsInput ? 1 : 0) + (readsGradient ? 1 : 0);
    cost.hopUp = (isBackward ? readsGradient : readsInput) ? m_hop[device.index()] : 0;
    cost.hopDown = plan.keepsPackets ? 0 : m_hop[device.index()];
    const double unpacking = unpackedShare(m_costs.times[device.index()], static_cast<StageKind>(slot.work), layers) *
                             sum(m_unpack[device.index()], layers); // of a pass
    if (slot.work == Work::kForward) {
        cost.main = forward(device, layers) + unpacking;
    } else {
        const PassTimes both = pass(plan, slot, device);
        const bool isFused = slot.work == Work::kFused;
        cost.main = both.backward + unpacking + (isFused ? both.forward + unpacking : 0);
        cost.prepare = isFused ? 0 : both.forward + unpacking;
    }
    double bytes = sum(m_bases, layers);
    if (!plan.resident.empty())
        for (int32_t l = layers.begin; l < layers.end; ++l)
            if (plan.isResident(device, l)) bytes -= sum(m_bases, {l, l + 1});
    const double rate = m_upRate[device.index()];
    const bool firstIsHere = plan.isResident(device, layers.begin);
    cost.firstUpload = firstIsHere ? 0 : sum(m_bases, {layers.begin, layers.begin + 1}) / rate;
    cost.weights = (bytes + sum(m_adapters, layers)) / rate;
    cost.firstUpdate = m_updates[static_cast<std::size_t>(layers.begin) + 1];
    cost.updates = m_updates[static_cast<std::size_t>(layers.end)];
    return cost;
}

void StepEstimator::beginEstimate(const Plan& plan) {
    m_devices.assign(m_upRate.size(), {});
    ++m_numEstimates;
    const std::size_t numKnown = static_cast<std::size_t>(plan.numStages()) * m_devices.size();
    if (m_known.size() < numKnown) m_known.resize(numKnown);
}

const StepEstimator::SlotCost& StepEstimator::knownCost(const Plan& plan, const Slot& slot, DeviceId device) {
    SlotCost& known = m_known[slot.stage.index() * m_devices.size() + device.index()];
    if (known.estimate != m_numEstimates) {
        known = slotCost(plan, slot, device);
        known.estimate = m_numEstimates;
    }
    return known;
}

StepEstimator::DeviceClock StepEstimator::runSlot(DeviceClock state, const SlotCost& cost, DeviceId device,
                                                  std::vector<double>& ready) const {
    const double uploadStart = std::max(state.linkFree, state.slotBefore);
    const double begin = std::max({state.free, uploadStart + cost.firstUpload, m_updatesFrom + cost.firstUpdate});
    const auto afterNext = [&](double free, double at) {
        return std::max(free, at + cost.hopUp - cost.prepare) + cost.prepare + cost.main;
    };
    double free = afterNext(begin, ready.front());
    free = std::max({free, uploadStart + cost.weights, m_updatesFrom + cost.updates});
    ready.front() = free + cost.hopDown;
    for (double& at : std::span(ready).subspan(1))
        at = (free = afterNext(free, at)) + cost.hopDown;
    const double packets = cost.numPacketsUp * static_cast<double>(ready.size()) *
                           static_cast<double>(m_costs.packetBytes) / m_upRate[device.index()];
    state.linkFree = uploadStart + cost.weights + packets;
    state.slotBefore = state.slotEnd;
    state.slotEnd = state.free = std::max(free, state.linkFree); // a slot is over when its copies are
    return state;
}

// Returns when the last microbatch leaves the last slot.
double StepEstimator::runStep(const Plan& plan, const Program& program) {
    double end = 0;
    int32_t round = -1;
    for (const Slot& slot : program.slots) {
        const int32_t numMicrobatches = program.endMicrobatch(slot) - program.firstMicrobatch(slot);
        if (slot.round > round) m_ready.assign(static_cast<std::size_t>(numMicrobatches), 0);
        round = slot.round;
        DeviceClock& state = m_devices[slot.device.index()];
        const SlotCost& cost = knownCost(plan, slot, slot.device);
        state = runSlot(state, cost, slot.device, m_ready);
        state.busy += numMicrobatches * (cost.prepare + cost.main);
        end = std::max(end, m_ready.back());
    }
    return end;
}

double StepEstimator::seconds(const Plan& plan, const StepShape& shape) {
    beginEstimate(plan);
    Program program = trainingProgram(plan, m_costs.firstTrainable, shape, 0);
    if (!shape.oneStepStale) {
        m_numStepsRun = 1;
        m_updatesFrom = 0;
        return runStep(plan, program);
    }
    m_numStepsRun = kFillingSteps + staleStepsMeasured(plan, program.numSlots());
    double end = 0, before = kNoUpdate; // of the last two steps
    double begin = 0;
    for (int32_t step = 0; step < m_numStepsRun; ++step) {
        dispatchLater(program, plan, int64_t{step} * program.numSlots());
        m_updatesFrom = before;
        before = step > 0 ? end : kNoUpdate;
        end = std::max(end, runStep(plan, program));
        if (step + 1 == kFillingSteps) begin = end;
    }
    const double mean = (end - begin) / (m_numStepsRun - kFillingSteps);
    if (!plan.tableRestarts) return mean;
    // A few steps are shorter than a device takes for its part of each: it is late only some steps after.
    const double busiest = std::ranges::max_element(m_devices, {}, &DeviceClock::busy)->busy;
    return std::max(mean, busiest / m_numStepsRun);
}

std::vector<DeviceId> StepEstimator::listSchedule(const Plan& plan, const StepShape& shape,
                                                  const std::vector<std::vector<bool>>& fits) {
    beginEstimate(plan);
    m_updatesFrom = kNoUpdate;
    std::vector<DeviceId> table;
    std::vector<double> best, tried;
    const Program program = trainingProgram(plan, m_costs.firstTrainable, shape, 0);
    int32_t round = -1;
    for (const Slot& slot : program.slots) {
        const int32_t numMicrobatches = program.endMicrobatch(slot) - program.firstMicrobatch(slot);
        if (slot.round > round) m_ready.assign(static_cast<std::size_t>(numMicrobatches), 0);
        round = slot.round;
        DeviceId chosen;
        DeviceClock chosenState;
        for (std::size_t d = 0; d < m_devices.size(); ++d) {
            if (!fits[slot.stage.index()][d]) continue;
            const DeviceId device(static_cast<int32_t>(d));
            tried = m_ready;
            const DeviceClock state = runSlot(m_devices[d], knownCost(plan, slot, device), device, tried);
            if (chosen.valid() && tried.back() >= best.back()) continue;
            chosen = device;
            chosenState = state;
            best = tried;
        }
        if (!chosen.valid()) return {};
        m_devices[chosen.index()] = chosenState;
        m_ready = best;
        table.push_back(chosen);
    }
    return table;
}

} // namespace roundpipe::plan
