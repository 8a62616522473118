// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window stands on the screen, kept from one start to the next, and never off it.
#pragma once

#include "ui/preferences/preferences.h"

#include <QRect>
#include <QSize>

class QWidget;

namespace roundpipe::ui::shell {

// `wanted` moved, and made smaller where it must be, so that all of it lies in `available`.
QRect clampedTo(const QRect& available, QRect wanted);

// The place of the last time, else `usual` in the middle of the screen.
void restorePlace(QWidget& window, const preferences::Preferences& preferences, QSize usual);
void rememberPlace(const QWidget& window, preferences::Preferences& preferences);

} // namespace roundpipe::ui::shell
