// SPDX-License-Identifier: GPL-3.0-or-later
// Learning-rate schedules as transformers defines them (optimization.py): the first warm-up step has rate 0.
#pragma once

#include "base/choices.h"

#include <cstdint>

namespace roundpipe::optim {

struct Schedule {
    ScheduleKind kind = ScheduleKind::kCosine;
    double peak = 2e-4;
    int64_t warmupSteps = 0;
    int64_t totalSteps = 1;

    double at(int64_t step) const; // of the optimizer step `step`, counted from 0
};

// `warmupSteps` where it is positive, else the ratio of all steps, rounded up.
int64_t resolveWarmup(int64_t warmupSteps, double warmupRatio, int64_t totalSteps);

} // namespace roundpipe::optim
