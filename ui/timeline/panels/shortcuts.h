// SPDX-License-Identifier: GPL-3.0-or-later
// The gestures and keys of the timeline, as a sheet that `?` opens.
#pragma once

#include "ui/timeline/plot/timeline_plot.h"

#include <QString>

#include <vector>

class QWidget;

namespace roundpipe::ui::timeline {

struct Shortcut {
    QString keys;
    QString does;
};
std::vector<Shortcut> shortcuts(Gestures gestures);
// Opens over `parent` until Esc or a click on Close.
void showShortcuts(QWidget* parent, Gestures gestures);

} // namespace roundpipe::ui::timeline
