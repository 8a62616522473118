// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/nearest_times.h"

#include "base/error.h"
#include "plan/cost/cost_model.h"
#include "plan/cost/measured_times.h"

#include <algorithm>

namespace roundpipe::plan {

NearestTimes nearestTimes(const ModelRequest& ran, std::span<const DeviceProfile> ofRun, double stepSeconds) {
    RP_CHECK(ran.given && stepSeconds > 0);
    const auto timesOff = [&](const MeasuredTimes& times) {
        Costs costs = modelCosts(ran.model, ran.training, ran.rig);
        applyMeasured(costs, times);
        const double predicted = evaluatePlan(*ran.given, ran.rig, costs, shapeOf(ran)).step.stepSeconds;
        return std::max(predicted / stepSeconds, stepSeconds / predicted);
    };
    const double byEstimates = timesOff({});
    const double byRun = timesOff(timesOf(ofRun, ran.model, ran.training, ran.rig));
    const MeasuredTimes kept = loadMeasured(ran.model, ran.training, ran.rig, ran.profiles);
    const double byKept = kept.empty() ? byEstimates : timesOff(kept);
    if (byEstimates <= std::min(byRun, byKept)) return NearestTimes::kEstimates;
    return byKept < byRun ? NearestTimes::kKept : NearestTimes::kRun;
}

} // namespace roundpipe::plan
