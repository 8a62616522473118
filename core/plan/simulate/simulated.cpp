// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/simulate/simulated.h"

#include <cmath>
#include <numeric>

namespace roundpipe::plan {

using trace::LaneRole;

Simulated summedUp(const StreamSimulation& simulation, int32_t firstTask, double numSteps, double stepSeconds) {
    const auto numDevices = simulation.rig().devices.size();
    Simulated result;
    result.stepSeconds = stepSeconds;
    result.busySeconds.resize(numDevices);
    std::vector<double> up(numDevices), down(numDevices);
    for (int32_t t = firstTask; t < simulation.numTasks(); ++t) {
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
    const double busy = std::accumulate(result.busySeconds.begin(), result.busySeconds.end(), 0.0);
    result.bubbleShare = 1 - busy / (stepSeconds * static_cast<double>(numDevices));
    return result;
}

std::vector<std::size_t> idleDevices(const Simulated& step) {
    constexpr double kNoWork = 0.01;
    std::vector<std::size_t> idle;
    for (std::size_t d = 0; d < step.busySeconds.size(); ++d)
        if (step.busySeconds[d] < kNoWork * step.stepSeconds) idle.push_back(d);
    return idle;
}

BusiestLink busiestLink(const Simulated& step, const Rig& rig) {
    BusiestLink busiest;
    for (std::size_t d = 0; d < rig.devices.size(); ++d) {
        const double seconds = static_cast<double>(step.bytesUp[d]) / rig.links[d].upBytesPerSecond;
        if (seconds > busiest.seconds) busiest = {d, seconds};
    }
    return busiest;
}

} // namespace roundpipe::plan
