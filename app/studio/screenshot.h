// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window, for the README and for proofs.
#pragma once

#include <QString>

class QWidget;

namespace roundpipe::studio {

// Writes what the window shows to `file`, after `seconds` or when the program ends before; a failure is logged.
void takeScreenshotLater(QWidget& window, const QString& file, double seconds);

} // namespace roundpipe::studio
