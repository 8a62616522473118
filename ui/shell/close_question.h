// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked, once, when the window is closed during a run or an export.
#pragma once

#include "ui/bridge/run_controller.h"

#include <functional>

class QWidget;

namespace roundpipe::ui::shell {

enum class CloseAnswer {
    kStay,
    kEnd,  // it, and then the window
    kLeave // the window alone: a run that goes on without it
};
using CloseAnswered = std::function<void(CloseAnswer)>;

// Over `parent`, which is worked no further until `answered` is called.
void askToStopAndClose(QWidget* parent, const bridge::RunController& run, bool isSimulated, CloseAnswered answered);
void askToGiveUpExport(QWidget* parent, CloseAnswered answered);

} // namespace roundpipe::ui::shell
