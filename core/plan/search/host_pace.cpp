// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/host_pace.h"

namespace roundpipe::plan {

double secondsBesideStep(const Plan& plan, const Costs& costs, const StepShape& shape) {
    if (!shape.oneStepStale) return 0;
    const int32_t rounds = plan.replicas > 1 ? plan.replicas : shape.numRounds();
    double seconds = 0;
    for (std::size_t l = 0; l < costs.layers.size(); ++l) {
        const bool isSummed = rounds > 1 || costs.layers[l].sharesTable;
        seconds += costs.updateSeconds[l] + costs.normSeconds[l] + (isSummed ? rounds * costs.addSeconds[l] : 0);
    }
    return costs.besideSteps * seconds;
}

} // namespace roundpipe::plan
