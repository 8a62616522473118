// SPDX-License-Identifier: GPL-3.0-or-later
// The window's icons, drawn by lines so that they are sharp at every scale and take any colour.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>

namespace roundpipe::ui::theme {

enum class Icon {
    kStart,
    kModel,
    kData,
    kSettings,
    kPlan,
    kRun,
    kResults,
    kRuns,
    kCheck,
    kWarning,
    kBad,
    kDot, // something is under way
    kDrop,
    kFolder,
    kClose,
    kReset,
    kGrow, // to the whole page
    kTalk,
    kQueue
};

// `size` in device-independent pixels; 20 is what it is drawn for.
QPixmap pixmapOf(Icon icon, const QColor& colour, int size = 20, double pixelRatio = 1);
QIcon iconOf(Icon icon, const QColor& colour);

} // namespace roundpipe::ui::theme
