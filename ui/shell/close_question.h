// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked, once, when the window is closed during a run.
#pragma once

#include "ui/bridge/run_controller.h"

class QWidget;

namespace roundpipe::ui::shell {

bool askToStopAndClose(QWidget* parent, const bridge::RunController& run, bool isSimulated); // false: let it be

} // namespace roundpipe::ui::shell
