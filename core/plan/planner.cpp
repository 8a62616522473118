#include "plan/planner.h"

#include "base/error.h"
#include "base/units.h"
#include "plan/plan_search.h"

#include <algorithm>

namespace roundpipe::plan {
namespace {

double work(const Costs& costs, std::size_t device) {
    double seconds = 0;
    for (int32_t l = 0; l < costs.numLayers(); ++l) {
        const LayerTimes& t = costs.times[device][static_cast<std::size_t>(l)];
        seconds += t.forward + (l >= costs.firstTrainable ? t.backward : 0);
    }
    return seconds;
}

// All devices busy all the time, nothing computed twice.
double fastestThinkable(const Costs& costs, const StepShape& shape) {
    double microbatchesPerSecond = 0;
    for (std::size_t d = 0; d < costs.times.size(); ++d)
        microbatchesPerSecond += 1 / work(costs, d);
    return shape.numMicrobatches() / microbatchesPerSecond;
}

// Whole rotations, after steps that fill the pipeline.
DispatchOptions dispatchOptions(const Plan& plan, const StepShape& shape, const EngineAbilities& engine) {
    DispatchOptions options;
    options.firstMeasured = shape.oneStepStale ? 2 : 1;
    options.numSteps = options.firstMeasured + (shape.oneStepStale ? stepsOfRotation(plan, shape) : 1);
    options.activationsFirst = engine.activationsFirst;
    options.usesPeers = engine.peerCopies;
    return options;
}

// Microbatch-slots that are replayed on the rig at most, the last plan's excepted: a replay takes far longer than an
// estimate.
constexpr int64_t kReplayedSlots = 6'000;

std::string listed(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems)
        text += (text.empty() ? "" : "; ") + problem;
    return text;
}

Error doesNotFit(const Choice& smallest, const Rig& rig) {
    return Error(ErrorKind::kOutOfMemory,
                 "The model does not fit this rig even with one layer at a time: " +
                     whatDoesNotFit(smallest, rig).value_or("no device takes all of its stages") + ".",
                 "Make microbatches or sequences smaller, stream the weights in fewer bits, or add memory.");
}

} // namespace

Choice evaluatePlan(const Plan& plan, const Rig& rig, const Costs& costs, const StepShape& shape,
                    const PlannerOptions& options) {
    Choice choice;
    choice.plan = plan;
    choice.shape = shape;
    choice.step = simulateDispatch(plan, costs, rig, shape, dispatchOptions(plan, shape, options.engine));
    for (int32_t d = 0; d < rig.numDevices(); ++d)
        choice.deviceMemory.push_back(deviceMemory(plan, costs, shape, DeviceId(d)));
    choice.hostMemory = hostMemory(plan, costs, shape);
    choice.fastestThinkable = fastestThinkable(costs, shape);
    return choice;
}

std::optional<std::string> whatDoesNotFit(const Choice& choice, const Rig& rig) {
    std::vector<std::string> problems;
    const auto check = [&](const std::string& where, int64_t needed, int64_t available) {
        if (available > 0 && needed > available)
            problems.push_back(where + " needs " + formatBytes(needed) + " of " + formatBytes(available));
    };
    for (std::size_t d = 0; d < rig.devices.size(); ++d)
        check("device " + std::to_string(d) + " (" + rig.devices[d].name + ")", choice.deviceMemory[d].total(),
              rig.devices[d].memoryBytes);
    check("host memory", choice.hostMemory.total(), rig.host.memoryBytes);
    check("page-locked host memory", choice.hostMemory.pinned, rig.host.pinnedBytes);
    check("the disk", choice.hostMemory.disk, rig.host.diskBytes);
    if (problems.empty()) return std::nullopt;
    return listed(problems);
}

Choice choosePlan(const Rig& rig, const Costs& costs, std::span<const StepShape> shapes,
                  const PlannerOptions& options) {
    validate(rig);
    validate(costs);
    if (rig.numDevices() != costs.numDevices())
        throw invalidInput("The rig has " + std::to_string(rig.numDevices()) + " devices, the costs are of " +
                           std::to_string(costs.numDevices()) + ".");
    RP_CHECK(!shapes.empty());
    std::optional<Choice> best, smallest;
    int64_t numEstimates = 0;
    PlannerOptions each = options;
    each.effort = options.effort / static_cast<int64_t>(shapes.size());
    for (const StepShape& shape : shapes) {
        PlanSearch search(rig, costs, shape, each);
        constexpr std::size_t kNumReplayed = 3;
        int64_t left = kReplayedSlots;
        for (const PlanSearch::Candidate& candidate : search.run(kNumReplayed)) {
            Choice choice = evaluatePlan(candidate.plan, rig, costs, shape, options);
            left -= StepEstimator::numStepsRun(candidate.plan, shape) * candidate.plan.numStages() *
                    shape.numMicrobatches();
            if (whatDoesNotFit(choice, rig)) continue;
            if (!best || choice.step.stepSeconds < best->step.stepSeconds) best = std::move(choice);
            if (left <= 0) break;
        }
        numEstimates += search.numEstimates();
        if (!best) smallest = evaluatePlan(search.smallest(), rig, costs, shape, options);
    }
    if (!best) throw doesNotFit(*smallest, rig);
    best->numEstimates = numEstimates;
    return *best;
}

} // namespace roundpipe::plan
