// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked, once, when the window is closed during a run or an export.
#pragma once

#include "ui/bridge/run_controller.h"

class QWidget;

namespace roundpipe::ui::shell {

enum class CloseAnswer {
    kStay,
    kEnd,  // it, and then the window
    kLeave // the window alone: a run that goes on without it
};
CloseAnswer askToStopAndClose(QWidget* parent, const bridge::RunController& run, bool isSimulated);
CloseAnswer askToGiveUpExport(QWidget* parent);

} // namespace roundpipe::ui::shell
