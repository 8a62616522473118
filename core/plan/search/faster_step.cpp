// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/search/faster_step.h"

#include "plan/search/least_memory.h"
#include "plan/search/variants.h"

namespace roundpipe::plan {

std::optional<Fix> fasterRounds(const ModelRequest& request, const ModelChoice& found, const SearchOptions& options) {
    constexpr double kWorthwhile = 1.05;
    if (hostHoldsAnyCuts(request.rig, found.costs, found.choice.shape)) return std::nullopt;
    std::optional<Fix> best;
    for (const int64_t size : changeOf(FixKind::kRoundSize).values(request)) {
        if (size < request.rig.numDevices()) break; // some would wait for the others' stages
        const Fix smaller{FixKind::kRoundSize, size, 0};
        const auto choice = fitting(withFixes(request, {&smaller, 1}), options);
        const double needed = kWorthwhile * (best ? best->tokensPerSecond : found.tokensPerSecond);
        if (choice && choice->tokensPerSecond >= needed) best = {smaller.kind, size, choice->tokensPerSecond};
    }
    return best;
}

} // namespace roundpipe::plan
