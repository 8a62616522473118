// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/dispatch_simulation.h"

#include "base/counted.h"
#include "base/error.h"
#include "plan/simulate/dispatch_tasks.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

using trace::LaneRole;

void check(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
           const DispatchOptions& options) {
    validate(rig);
    validate(costs);
    validate(plan, costs.firstTrainable);
    if (plan.numLayers != costs.numLayers())
        throw invalidInput("The plan has " + counted(plan.numLayers, "layer") + ", the costs have " +
                           std::to_string(costs.numLayers()) + ".");
    if (rig.numDevices() != costs.numDevices())
        throw invalidInput("The rig has " + counted(rig.numDevices(), "device") + ", the costs are of " +
                           std::to_string(costs.numDevices()) + ".");
    for (const DeviceId device : plan.deviceTable)
        if (device.value >= rig.numDevices())
            throw invalidInput("The plan uses device " + std::to_string(device.value) + " of " +
                               std::to_string(rig.numDevices()) + ".");
    if (shape.roundSize < 1 || shape.rounds < 1)
        throw invalidInput("A step needs at least one microbatch in a round and one round.");
    if (shape.numMicrobatches() > shape.mostMicrobatches())
        throw invalidInput("A usual step has " + std::to_string(shape.numMicrobatches()) +
                           " microbatches, its rounds hold " + std::to_string(shape.mostMicrobatches()) + ".");
    RP_CHECK(options.firstMeasured >= 0 && options.firstMeasured < options.numSteps);
}

// The update ends a step; one that is stale by a step ends with its computations.
double endOfStep(DispatchTasks& tasks, int32_t step, bool oneStepStale) {
    const StreamSimulation& simulation = tasks.simulation();
    const int32_t update = tasks.lastUpdate(step);
    if (!oneStepStale) return simulation.endOf(update);
    double end = 0;
    for (int32_t t = tasks.firstTask(step); t < update; ++t)
        if (simulation.task(t).role == LaneRole::kCompute) end = std::max(end, simulation.endOf(t));
    return end;
}

} // namespace

Simulated simulateDispatch(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                           const DispatchOptions& options) {
    check(plan, costs, rig, shape, options);
    DispatchTasks tasks(plan, costs, rig, shape, options);
    for (int32_t step = 0; step < options.numSteps; ++step)
        tasks.addStep();
    tasks.simulation().run();

    const int32_t first = options.firstMeasured;
    const auto numMeasured = static_cast<double>(options.numSteps - first);
    const double begin = first > 0 ? endOfStep(tasks, first - 1, shape.oneStepStale) : 0;
    const double seconds = (endOfStep(tasks, options.numSteps - 1, shape.oneStepStale) - begin) / numMeasured;
    Simulated result = summedUp(tasks.simulation(), tasks.firstTask(first), numMeasured, seconds);
    if (options.keepsRecords) result.records = tasks.simulation().records();
    if (options.countsMemory) result.peakBytes = tasks.ledger().peaks(tasks.simulation());
    return result;
}

Simulated simulateEvaluation(const Plan& plan, const Costs& costs, const Rig& rig, int32_t numMicrobatches,
                             const DispatchOptions& options) {
    const StepShape shape{numMicrobatches, 1};
    check(plan, costs, rig, shape, options);
    DispatchTasks tasks(plan, costs, rig, shape, options);
    tasks.addEvaluation(numMicrobatches);
    StreamSimulation& simulation = tasks.simulation();
    simulation.run();
    double end = 0;
    for (int32_t t = 0; t < simulation.numTasks(); ++t)
        end = std::max(end, simulation.endOf(t));
    Simulated result = summedUp(simulation, 0, 1, end);
    result.records = simulation.records();
    return result;
}

} // namespace roundpipe::plan
