// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop does for a run: the machine stays awake while it is under way, and a notification tells of its end.
#pragma once

#include "ui/bridge/run_controller.h"
#include "ui/desktop/sleep_guard.h"

#include <QDBusConnection>

#include <functional>

namespace roundpipe::ui::desktop {

class RunAttendant : public QObject {
    Q_OBJECT
public:
    // `isLookedAt`: asked at the end of a run; who looks at the window needs no notification.
    RunAttendant(bridge::RunController& run, QDBusConnection system, QDBusConnection session,
                 std::function<bool()> isLookedAt, QObject* parent = nullptr);
    const SleepGuard& sleep() const { return m_sleep; }

private:
    void tellTheEnd(session::RunState state);

    bridge::RunController& m_run;
    QDBusConnection m_session;
    std::function<bool()> m_isLookedAt;
    SleepGuard m_sleep;
    QString m_problem; // of a run that failed
};

} // namespace roundpipe::ui::desktop
