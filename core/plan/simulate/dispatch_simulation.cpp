#include "plan/simulate/dispatch_simulation.h"

#include "base/error.h"
#include "plan/simulate/dispatch_tasks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roundpipe::plan {
namespace {

using trace::LaneRole;

void check(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
           const DispatchOptions& options) {
    validate(rig);
    validate(costs);
    validate(plan, costs.firstTrainable);
    if (plan.numLayers != costs.numLayers())
        throw invalidInput("The plan has " + std::to_string(plan.numLayers) + " layers, the costs have " +
                           std::to_string(costs.numLayers()) + ".");
    if (rig.numDevices() != costs.numDevices())
        throw invalidInput("The rig has " + std::to_string(rig.numDevices()) + " devices, the costs are of " +
                           std::to_string(costs.numDevices()) + ".");
    for (const DeviceId device : plan.deviceTable)
        if (device.value >= rig.numDevices())
            throw invalidInput("The plan uses device " + std::to_string(device.value) + " of " +
                               std::to_string(rig.numDevices()) + ".");
    if (shape.roundSize < 1 || shape.rounds < 1)
        throw invalidInput("A step needs at least one microbatch in a round and one round.");
    RP_CHECK(options.firstMeasured >= 0 && options.firstMeasured < options.numSteps);
}

// The update ends a step; one that is stale by a step ends with its computations.
double endOfStep(DispatchTasks& tasks, int32_t step, bool oneStepStale) {
    const StreamSimulation& simulation = tasks.simulation();
    const int32_t update = tasks.update(step);
    if (!oneStepStale) return simulation.endOf(update);
    double end = 0;
    for (int32_t t = tasks.firstTask(step); t < update; ++t)
        if (simulation.task(t).role == LaneRole::kCompute) end = std::max(end, simulation.endOf(t));
    return end;
}

void sumUp(DispatchTasks& tasks, int32_t firstStep, double numSteps, Simulated& result) {
    const StreamSimulation& simulation = tasks.simulation();
    const std::size_t numDevices = result.busySeconds.size();
    std::vector<double> up(numDevices), down(numDevices);
    for (int32_t t = tasks.firstTask(firstStep); t < simulation.numTasks(); ++t) {
        const StreamTask& task = simulation.task(t);
        if (task.role == LaneRole::kOptimizer) continue;
        const std::size_t d = task.device.index();
        if (task.role == LaneRole::kCompute) result.busySeconds[d] += task.seconds / numSteps;
        const bool isUp = task.role == LaneRole::kWeightsUp || task.role == LaneRole::kActivationsUp;
        (isUp ? up : down)[d] += static_cast<double>(task.bytes) / numSteps;
    }
    for (std::size_t d = 0; d < numDevices; ++d) {
        result.bytesUp.push_back(std::llround(up[d]));
        result.bytesDown.push_back(std::llround(down[d]));
    }
}

} // namespace

Simulated simulateDispatch(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                           const DispatchOptions& options) {
    check(plan, costs, rig, shape, options);
    DispatchTasks tasks(plan, costs, rig, shape, options);
    for (int32_t step = 0; step < options.numSteps; ++step)
        tasks.addStep(step);
    tasks.simulation().run();

    const int32_t first = options.firstMeasured;
    const auto numMeasured = static_cast<double>(options.numSteps - first);
    const double begin = first > 0 ? endOfStep(tasks, first - 1, shape.oneStepStale) : 0;
    Simulated result;
    result.stepSeconds = (endOfStep(tasks, options.numSteps - 1, shape.oneStepStale) - begin) / numMeasured;
    result.busySeconds.resize(rig.devices.size());
    sumUp(tasks, first, numMeasured, result);
    const double busy = std::accumulate(result.busySeconds.begin(), result.busySeconds.end(), 0.0);
    result.bubbleShare = 1 - busy / (result.stepSeconds * rig.numDevices());
    if (options.keepsRecords) result.records = tasks.simulation().records();
    if (options.countsMemory) result.peakBytes = tasks.ledger().peaks(tasks.simulation());
    return result;
}

} // namespace roundpipe::plan
