// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window, for the README and for proofs.
#pragma once

#include <QString>

class QWidget;

namespace roundpipe::studio {

// After `seconds`, writes what the window shows to `file`; a failure is logged.
void takeScreenshotLater(QWidget& window, const QString& file, double seconds);

} // namespace roundpipe::studio
