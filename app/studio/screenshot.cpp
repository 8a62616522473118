// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include "base/log.h"

#include <QCoreApplication>
#include <QTimer>
#include <QWidget>

namespace roundpipe::studio {

void takeScreenshotLater(QWidget& window, const QString& file, double seconds) {
    auto* const timer = new QTimer(&window);
    const auto take = [&window, file, timer] {
        timer->stop();
        if (!window.grab().save(file)) log::error("The picture '" + file.toStdString() + "' could not be written.");
    };
    timer->setSingleShot(true);
    QObject::connect(timer, &QTimer::timeout, &window, take);
    QObject::connect(QCoreApplication::instance(), &QCoreApplication::aboutToQuit, &window, [timer, take] {
        if (timer->isActive()) take();
    });
    timer->start(static_cast<int>(seconds * 1000));
}

} // namespace roundpipe::studio
