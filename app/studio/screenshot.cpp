// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include "base/log.h"

#include <QTimer>
#include <QWidget>

namespace roundpipe::studio {

void takeScreenshotLater(QWidget& window, const QString& file, double seconds) {
    QTimer::singleShot(static_cast<int>(seconds * 1000), &window, [&window, file] {
        if (!window.grab().save(file)) log::error("The picture '" + file.toStdString() + "' could not be written.");
    });
}

} // namespace roundpipe::studio
