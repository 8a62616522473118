// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop does for the queue: the machine stays awake while one of its runs is under way.
#pragma once

#include "ui/bridge/queue_controller.h"
#include "ui/desktop/sleep_guard.h"

#include <QDBusConnection>
#include <QObject>

namespace roundpipe::ui::desktop {

class QueueAttendant : public QObject {
    Q_OBJECT
public:
    QueueAttendant(const bridge::QueueController& queue, QDBusConnection system, QObject* parent = nullptr);
    const SleepGuard& sleep() const { return m_sleep; }

private:
    SleepGuard m_sleep;
};

} // namespace roundpipe::ui::desktop
