// SPDX-License-Identifier: GPL-3.0-or-later
// Finds numbers on show that are written with a decimal point where the window's language has a comma.
#pragma once

#include <QStringList>

class QWidget;

namespace roundpipe::testing {

// One line for each text that holds one, as "QLabel “8.2 s a step”". What a person typed, paths, names ("PCIe 4.0",
// "Qwen2.5-7B") and dates are none. Nothing where the language itself has a point.
QStringList foreignNumbers(const QWidget& window);

} // namespace roundpipe::testing
