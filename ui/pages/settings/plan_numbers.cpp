// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/plan_numbers.h"

#include "base/units.h"
#include "ui/translations/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace roundpipe::ui::pages {
namespace {

int32_t residentsOn(const plan::Plan& plan, std::size_t device) {
    if (device >= plan.resident.size()) return 0;
    return static_cast<int32_t>(std::ranges::count(plan.resident[device], true));
}

QString signOf(bool isMore) {
    return isMore ? QStringLiteral("+") : QStringLiteral("−");
}

} // namespace

PlanNumbers numbersOf(const session::PlanAnswer& answer) {
    PlanNumbers numbers{answer.choice.step.stepSeconds, answer.tokensPerSecond, answer.choice.step.bubbleShare, 0,
                        answer.choice.hostMemory.total()};
    int64_t leastRoom = std::numeric_limits<int64_t>::max();
    for (std::size_t i = 0; i < answer.choice.deviceMemory.size() && i < answer.rig.devices.size(); ++i) {
        const int64_t total = answer.choice.deviceMemory[i].total();
        const int64_t room = answer.rig.devices[i].memoryBytes - total;
        if (room >= leastRoom) continue;
        leastRoom = room;
        numbers.fullestBytes = total;
        numbers.numResident = residentsOn(answer.choice.plan, i);
    }
    return numbers;
}

QString bytesDifference(int64_t from, int64_t to) {
    if (std::abs(to - from) < kMiB) return {};
    return signOf(to > from) + translations::bytesText(std::abs(to - from));
}

QString shareDifference(double from, double to) {
    const double percent = from > 0 ? (to / from - 1) * 100 : 0;
    if (std::abs(percent) < 0.5) return {};
    return signOf(percent > 0) + QCoreApplication::translate("PlanNumbers", "%1 %")
                                     .arg(translations::fixedText(std::abs(percent), std::abs(percent) < 9.5 ? 1 : 0));
}

} // namespace roundpipe::ui::pages
