// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_ticker.h"

#include <cmath>

namespace roundpipe::ui::charts {

double StepTicker::getTickStep(const QCPRange& range) {
    return std::ceil(QCPAxisTicker::getTickStep(range));
}

} // namespace roundpipe::ui::charts
