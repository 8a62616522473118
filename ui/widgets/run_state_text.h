// SPDX-License-Identifier: GPL-3.0-or-later
// A run's states as the window words them.
#pragma once

#include "session/engine.h"

#include <QString>

namespace roundpipe::ui::widgets {

QString runStateText(session::RunState state); // "Validating"

} // namespace roundpipe::ui::widgets
