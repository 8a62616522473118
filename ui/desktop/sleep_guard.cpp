// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/sleep_guard.h"

#include "base/log.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace roundpipe::ui::desktop {

SleepGuard::SleepGuard(QDBusConnection bus, QObject* parent) : QObject(parent), m_bus(std::move(bus)) {}

void SleepGuard::hold(const QString& why) {
    if (m_isWanted) return;
    m_isWanted = true;
    if (!m_bus.isConnected()) return say(tr("there is no system bus"));
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
        QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
    call << QStringLiteral("sleep:idle") << tr("RoundPipe Studio") << why << QStringLiteral("block");
    auto* watcher = new QDBusPendingCallWatcher(m_bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        watcher->deleteLater();
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
        if (reply.isError()) return say(reply.error().message());
        if (!m_isWanted) return; // the run has ended meanwhile
        m_lock = reply.value();
        emit heldChanged();
    });
}

void SleepGuard::release() {
    m_isWanted = false;
    if (!isHeld()) return;
    m_lock = {};
    emit heldChanged();
}

void SleepGuard::say(const QString& problem) {
    if (std::exchange(m_hasSaid, true)) return;
    log::info("The machine may go to sleep during a run: " + problem.toStdString() + ".");
}

} // namespace roundpipe::ui::desktop
