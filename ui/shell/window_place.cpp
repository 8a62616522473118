// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_place.h"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace roundpipe::ui::shell {
namespace {

constexpr int kTitleBar = 36; // what a window manager puts above a window, about

QString placeKey() {
    return QStringLiteral("window/place");
}

QString maximizedKey() {
    return QStringLiteral("window/maximized");
}

} // namespace

QRect clampedTo(const QRect& available, QRect wanted) {
    wanted.setSize(wanted.size().boundedTo(available.size()));
    wanted.moveLeft(std::clamp(wanted.left(), available.left(), available.right() - wanted.width() + 1));
    wanted.moveTop(std::clamp(wanted.top(), available.top(), available.bottom() - wanted.height() + 1));
    return wanted;
}

void restorePlace(QWidget& window, const preferences::Preferences& preferences, QSize usual) {
    QRect wanted = preferences.value(placeKey()).toRect();
    const QScreen* screen = wanted.isValid() ? QGuiApplication::screenAt(wanted.center()) : nullptr;
    if (screen == nullptr) screen = QGuiApplication::primaryScreen();
    const QRect available = screen->availableGeometry().adjusted(0, kTitleBar, 0, 0);
    if (!wanted.isValid()) {
        wanted = QRect(QPoint(), usual.boundedTo(available.size()));
        wanted.moveCenter(available.center());
    }
    window.setGeometry(clampedTo(available, wanted));
    if (preferences.value(maximizedKey()).toBool()) window.setWindowState(Qt::WindowMaximized);
}

void rememberPlace(const QWidget& window, preferences::Preferences& preferences) {
    preferences.set(placeKey(), window.normalGeometry());
    preferences.set(maximizedKey(), window.isMaximized());
}

} // namespace roundpipe::ui::shell
