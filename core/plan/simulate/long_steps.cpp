// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/long_steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace roundpipe::plan {
namespace {

int32_t mostMicrobatches(const Plan& plan, const DispatchOptions& options) {
    return std::max(4, options.mostReplayed / plan.numStages());
}

// As many rounds where there are some, so that all devices have their share; else microbatches of each.
StepShape halfOf(StepShape part) {
    (part.rounds >= 4 ? part.rounds : part.roundSize) /= 2;
    return part;
}

} // namespace

bool isReplayedWhole(const StepShape& shape, const Plan& plan, const DispatchOptions& options) {
    return shape.numMicrobatches() <= mostMicrobatches(plan, options);
}

StepShape replayedPart(const StepShape& shape, const Plan& plan, const DispatchOptions& options) {
    if (isReplayedWhole(shape, plan, options)) return shape;
    const int32_t most = mostMicrobatches(plan, options);
    StepShape part = shape;
    part.usual = 0;
    part.rounds = most / shape.roundSize / 4 * 4; // which are fewer than there are
    if (part.rounds > 0) return part;
    part.rounds = std::min(2, shape.numRounds());
    part.roundSize = std::min(shape.roundSize, most / part.rounds);
    return part;
}

Simulated simulateStep(const Plan& plan, const Costs& costs, const Rig& rig, const StepShape& shape,
                       const DispatchOptions& options) {
    const StepShape part = replayedPart(shape, plan, options);
    Simulated result = simulateDispatch(plan, costs, rig, part, options);
    if (isReplayedWhole(shape, plan, options)) return result;

    DispatchOptions times = options;
    times.keepsRecords = false;
    const StepShape half = halfOf(part);
    const Simulated before = simulateDispatch(plan, costs, rig, half, times);
    const double beyond = static_cast<double>(shape.numMicrobatches() - part.numMicrobatches()) /
                          (part.numMicrobatches() - half.numMicrobatches());
    const auto goOn = [&](auto& value, const auto& earlier) {
        using Value = std::remove_reference_t<decltype(value)>;
        const double more = beyond * static_cast<double>(value - earlier);
        value += static_cast<Value>(std::is_integral_v<Value> ? std::round(more) : more);
    };
    goOn(result.stepSeconds, before.stepSeconds);
    for (std::size_t d = 0; d < result.busySeconds.size(); ++d) {
        goOn(result.busySeconds[d], before.busySeconds[d]);
        goOn(result.bytesUp[d], before.bytesUp[d]);
        goOn(result.bytesDown[d], before.bytesDown[d]);
    }
    const double busy = std::accumulate(result.busySeconds.begin(), result.busySeconds.end(), 0.0);
    result.bubbleShare = 1 - busy / (result.stepSeconds * static_cast<double>(result.busySeconds.size()));
    return result;
}

} // namespace roundpipe::plan
