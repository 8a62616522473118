// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what a person can't read or use: texts that are wider or higher than their widget, widgets that lie partly
// outside of what holds them, however far out, and neighbours that lie over each other.
#pragma once

#include <QStringList>

class QWidget;

namespace roundpipe::testing {

// One line for each, as "QPushButton “Use this model” needs 130 px, has 90". Texts that end in … with the whole of them
// in a tool tip are readable, and so is what can be scrolled to downwards.
QStringList clippedTexts(const QWidget& window);

} // namespace roundpipe::testing
