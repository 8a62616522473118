// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace roundpipe::optim {

double Schedule::at(int64_t step) const {
    if (step < warmupSteps) return peak * (static_cast<double>(step) / static_cast<double>(warmupSteps));
    const double decaySteps = static_cast<double>(std::max<int64_t>(1, totalSteps - warmupSteps));
    switch (kind) {
    case ScheduleKind::kConstant:
        return peak;
    case ScheduleKind::kLinear:
        return peak * std::max(0.0, static_cast<double>(totalSteps - step) / decaySteps);
    case ScheduleKind::kCosine: {
        const double progress = static_cast<double>(step - warmupSteps) / decaySteps;
        return peak * std::max(0.0, 0.5 * (1.0 + std::cos(std::numbers::pi * progress)));
    }
    }
    return peak;
}

int64_t resolveWarmup(int64_t warmupSteps, double warmupRatio, int64_t totalSteps) {
    if (warmupSteps > 0) return warmupSteps;
    return static_cast<int64_t>(std::ceil(warmupRatio * static_cast<double>(totalSteps)));
}

} // namespace roundpipe::optim
