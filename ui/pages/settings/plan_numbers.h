// SPDX-License-Identifier: GPL-3.0-or-later
// The few numbers of a plan that settings are judged by.
#pragma once

#include "session/planning/plan_answer.h"

#include <QString>

namespace roundpipe::ui::pages {

struct PlanNumbers {
    double stepSeconds = 0;
    double tokensPerSecond = 0;
    double bubbleShare = 0;
    int64_t fullestBytes = 0; // on the device that has the least room left
    int64_t hostBytes = 0;
    int32_t numResident = 0; // layers whose weights stay on the fullest device
};

// Only where the answer has a plan.
PlanNumbers numbersOf(const session::PlanAnswer& answer);

// "+1.2 GiB", "−300 MiB"; empty within a MiB.
QString bytesDifference(int64_t from, int64_t to);
// "+4 %", "−12 %"; empty below half a percent.
QString shareDifference(double from, double to);

} // namespace roundpipe::ui::pages
