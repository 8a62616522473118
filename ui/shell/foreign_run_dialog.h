// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run of another program has no counterpart here, once it was opened as a project.
#pragma once

#include "session/foreign_run.h"

class QWidget;

namespace roundpipe::ui::shell {

void showNotTaken(QWidget& parent, const session::ForeignRun& run); // does not wait

} // namespace roundpipe::ui::shell
