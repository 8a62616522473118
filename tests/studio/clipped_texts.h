// Finds what a person can't read: texts that are wider or higher than their widget, and widgets that lie partly outside
// of what holds them.
#pragma once

#include <QStringList>

class QWidget;

namespace roundpipe::testing {

// One line for each, as "QPushButton “Use this model” needs 130 px, has 90". Texts that end in … with the whole of them
// in a tool tip are readable, and so is what can be scrolled to downwards.
QStringList clippedTexts(const QWidget& window);

} // namespace roundpipe::testing
