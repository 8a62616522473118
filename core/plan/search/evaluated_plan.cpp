// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/evaluated_plan.h"

#include "plan/program.h"
#include "plan/search/host_pace.h"
#include "plan/simulate/long_steps.h"

#include <algorithm>
#include <utility>

namespace roundpipe::plan {
namespace {

// All devices busy all the time, nothing computed twice.
double fastestThinkable(const Costs& costs, const StepShape& shape) {
    double microbatchesPerSecond = 0;
    for (std::size_t d = 0; d < costs.times.size(); ++d)
        microbatchesPerSecond += 1 / secondsOfMicrobatch(costs, d);
    return shape.numMicrobatches() / microbatchesPerSecond;
}

// After steps that fill the pipeline one step is measured, or a whole rotation where that is asked for. Where updates
// are a step stale, lengths of steps repeat after a number of steps of their own, too: 1.8, 1.6 and 0.9 s again and
// again on four H100s, whose rotation of four has one of the three twice. So several rotations are measured there. As
// much of it as is quickly replayed.
struct Measured {
    DispatchOptions options;
    bool isWholeRotation = false;
};
Measured measuredSteps(const Plan& plan, const Costs& costs, const StepShape& shape, const SearchOptions& search,
                       bool wholeRotation = false) {
    constexpr int32_t kQuickSlots = 8'000;
    DispatchOptions options;
    if (isHasty(search)) options.mostReplayed = kQuickSlots / 2;
    options.firstMeasured = shape.oneStepStale ? 2 : 1;
    const StepShape part = replayedPart(shape, plan, options);
    const int32_t quick =
        std::max(1, kQuickSlots / (plan.numStages() * part.numMicrobatches()) - options.firstMeasured);
    const int32_t numSlots = trainingProgram(plan, costs.firstTrainable, part, 0).numSlots();
    const int32_t rotation = stepsOfRotation(plan, numSlots);
    int32_t numMeasured = shape.oneStepStale ? staleStepsMeasured(plan, numSlots) : wholeRotation ? rotation : 1;
    if (quick < numMeasured) numMeasured = quick < rotation ? quick : quick / rotation * rotation;
    options.numSteps = options.firstMeasured + numMeasured;
    options.activationsFirst = search.engine.activationsFirst;
    options.usesPeers = search.engine.peerCopies;
    return {options, numMeasured % rotation == 0};
}

// A few steps seem to be shorter than their copies or their computing take, as weights of the first came up before it,
// and in a part of a rotation a device has more than its share; or shorter than the updates that run beside them, which
// are late only some steps after. No step is, in the long run.
void holdTo(double seconds, Simulated& step) {
    if (seconds <= step.stepSeconds) return;
    step.bubbleShare = 1 - (1 - step.bubbleShare) * step.stepSeconds / seconds;
    step.stepSeconds = seconds;
}

// Devices that take turns, each once, meet the same slots sooner or later.
bool needTheSame(const Plan& plan, const Costs& costs, DeviceId one, DeviceId other) {
    const auto isOnce = [&](DeviceId device) { return std::ranges::count(plan.deviceTable, device) == 1; };
    return !plan.tableRestarts && isOnce(one) && isOnce(other) &&
           costs.contextBytes[one.index()] == costs.contextBytes[other.index()] &&
           (plan.resident.empty() || plan.resident[one.index()] == plan.resident[other.index()]);
}

} // namespace

bool isHasty(const SearchOptions& options) {
    return options.effort < SearchOptions().effort / 4;
}

double secondsOfMicrobatch(const Costs& costs, std::size_t device) {
    double seconds = 0;
    for (int32_t l = 0; l < costs.numLayers(); ++l) {
        const LayerTimes& t = costs.times[device][static_cast<std::size_t>(l)];
        seconds += t.forward + (l >= costs.firstTrainable ? t.backward : 0);
    }
    return seconds;
}

int64_t slotsReplayed(const Plan& plan, const Costs& costs, const StepShape& shape, const SearchOptions& search) {
    const DispatchOptions options = measuredSteps(plan, costs, shape, search).options;
    return int64_t{options.numSteps} * plan.numStages() * replayedPart(shape, plan, options).numMicrobatches();
}

EvaluatedPlan memoryOf(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape) {
    EvaluatedPlan choice;
    choice.plan = plan;
    choice.shape = shape;
    const std::vector<Slot> round = slotsOfRound(plan, costs.firstTrainable);
    for (int32_t d = 0; d < rig.numDevices(); ++d) {
        const DeviceId device(d);
        if (d > 0 && needTheSame(plan, costs, DeviceId(d - 1), device))
            choice.deviceMemory.push_back(choice.deviceMemory.back());
        else
            choice.deviceMemory.push_back(plan::deviceMemory(plan, costs, shape, roundOn(plan, round, device)));
    }
    choice.hostMemory = plan::hostMemory(plan, costs, shape);
    return choice;
}

EvaluatedPlan evaluatePlan(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape,
                           const SearchOptions& options) {
    EvaluatedPlan choice = memoryOf(plan, rig, costs, shape);
    Measured steps = measuredSteps(plan, costs, shape, options);
    choice.step = simulateStep(plan, costs, rig, shape, steps.options);
    constexpr double kBusy = 0.9;
    const auto busiestDevice = [&] { return std::ranges::max(choice.step.busySeconds); };
    if (busiestLink(choice.step, rig).seconds > kBusy * choice.step.stepSeconds ||
        busiestDevice() > choice.step.stepSeconds) {
        const bool wasWhole = steps.isWholeRotation;
        steps = measuredSteps(plan, costs, shape, options, true);
        if (!wasWhole) choice.step = simulateStep(plan, costs, rig, shape, steps.options);
        if (steps.isWholeRotation)
            holdTo(std::max(busiestLink(choice.step, rig).seconds, busiestDevice()), choice.step);
    }
    holdTo(choice.step.stepSeconds * (1 - choice.step.bubbleShare), choice.step); // what all compute, in any part
    holdTo(secondsBesideStep(plan, costs, shape), choice.step);
    choice.fastestThinkable = fastestThinkable(costs, shape);
    return choice;
}

Misfit misfitOf(const EvaluatedPlan& choice, const Rig& rig) {
    Misfit misfit;
    const auto check = [&](Shortfall shortfall) {
        if (shortfall.availableBytes > 0 && shortfall.missingBytes() > 0)
            misfit.shortfalls.push_back(std::move(shortfall));
    };
    for (std::size_t d = 0; d < rig.devices.size(); ++d)
        check({MemoryKind::kDevice, static_cast<int32_t>(d), rig.devices[d].name, choice.deviceMemory[d].total(),
               rig.devices[d].memoryBytes});
    check({MemoryKind::kHost, -1, {}, choice.hostMemory.total(), rig.host.memoryBytes});
    check({MemoryKind::kPageLocked, -1, {}, choice.hostMemory.pinned, rig.host.pinnedBytes});
    check({MemoryKind::kDisk, -1, {}, choice.hostMemory.disk, rig.host.diskBytes});
    if (!misfit.shortfalls.empty()) misfit.obstacle = Misfit::Obstacle::kMemory;
    return misfit;
}

} // namespace roundpipe::plan
