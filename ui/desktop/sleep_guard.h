// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the machine from going to sleep, by the system's login manager.
#pragma once

#include <QDBusConnection>
#include <QDBusUnixFileDescriptor>
#include <QObject>
#include <QString>

namespace roundpipe::ui::desktop {

// GUI thread; nothing here waits for an answer. Where there is no bus, or no such manager, the machine does as it
// always does, and the log says so once.
class SleepGuard : public QObject {
    Q_OBJECT
public:
    explicit SleepGuard(QDBusConnection bus, QObject* parent = nullptr);
    void hold(const QString& why); // in words, for whoever lists what keeps the machine awake
    void release();
    bool isHeld() const { return m_lock.isValid(); } // it was granted

signals:
    void heldChanged();

private:
    void say(const QString& problem);

    QDBusConnection m_bus;
    QDBusUnixFileDescriptor m_lock; // sleep is blocked while it is open
    bool m_isWanted = false;
    bool m_hasSaid = false;
};

} // namespace roundpipe::ui::desktop
