// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/notification.h"

#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QFileInfo>
#include <QGuiApplication>
#include <QVariantMap>

namespace roundpipe::ui::desktop {

QDBusConnection desktopBus() {
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const bool isThere = qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
                         (!runtime.isEmpty() && QFileInfo::exists(runtime + QStringLiteral("/bus")));
    return isThere ? QDBusConnection::sessionBus() : QDBusConnection(QStringLiteral("none"));
}

void notify(QDBusConnection bus, const QString& headline, const QString& text) {
    if (!bus.isConnected()) return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    constexpr uint kReplacesNothing = 0;
    constexpr int kAsLongAsUsual = -1;
    const QString entry = QGuiApplication::desktopFileName(); // and the icon's name
    const QVariantMap hints{{QStringLiteral("desktop-entry"), entry}};
    call << QCoreApplication::translate("Notification", "RoundPipe Studio") << kReplacesNothing << entry << headline
         << text.toHtmlEscaped() << QStringList() << hints << kAsLongAsUsual;
    bus.asyncCall(call);
}

} // namespace roundpipe::ui::desktop
