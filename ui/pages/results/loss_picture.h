// SPDX-License-Identifier: GPL-3.0-or-later
// A run's loss as a picture, for reports.
#pragma once

#include "session/engine.h"

#include <QImage>

#include <vector>

namespace roundpipe::ui::pages {

// Loss, smoothed, and validation loss over the steps, dark on white. Any thread.
QImage lossPicture(const std::vector<session::StepMetrics>& steps, QSize size);

} // namespace roundpipe::ui::pages
