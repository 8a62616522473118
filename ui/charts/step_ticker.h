// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of an axis of steps: there is no half of one.
#pragma once

#include <qcustomplot.h>

namespace roundpipe::ui::charts {

class StepTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
};

} // namespace roundpipe::ui::charts
