// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked, once, when the window is closed during a run or an export.
#pragma once

#include "ui/bridge/run_controller.h"

class QWidget;

namespace roundpipe::ui::shell {

// false: let it be.
bool askToStopAndClose(QWidget* parent, const bridge::RunController& run, bool isSimulated);
bool askToGiveUpExport(QWidget* parent);

} // namespace roundpipe::ui::shell
