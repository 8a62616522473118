// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked before a run is stopped.
#pragma once

#include "ui/bridge/run_controller.h"

class QWidget;

namespace roundpipe::ui::pages {

// Over `parent`; the run is stopped as the answer says. Escape keeps training. A run that ends meanwhile takes the
// question with it.
void askHowToStop(QWidget* parent, bridge::RunController& run);

} // namespace roundpipe::ui::pages
