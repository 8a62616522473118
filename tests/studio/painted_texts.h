// SPDX-License-Identifier: GPL-3.0-or-later
// Finds words that widgets paint themselves and that a person can't read: over each other, or beyond the edge.
#pragma once

#include <QStringList>

class QWidget;

namespace roundpipe::testing {

// One line for each, as "LengthHistogram paints “128” over “max length 2,048”". Looks at the window's own widgets that
// paint, one by one, and at charts; not at the lanes of a timeline, which leave words out where they have no room.
QStringList paintedOver(QWidget& window);
// What a widget paints itself, as it is painted: "12.3 s", "backw…".
QStringList paintedWords(QWidget& widget);

} // namespace roundpipe::testing
