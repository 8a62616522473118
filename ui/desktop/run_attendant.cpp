// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desktop/run_attendant.h"

#include "ui/desktop/notification.h"
#include "ui/models/run_end_text.h"

namespace roundpipe::ui::desktop {

using bridge::RunController;

RunAttendant::RunAttendant(RunController& run, QDBusConnection system, QDBusConnection session,
                           std::function<bool()> isLookedAt, QObject* parent)
    : QObject(parent)
    , m_run(run)
    , m_session(std::move(session))
    , m_isLookedAt(std::move(isLookedAt))
    , m_sleep(std::move(system)) {
    connect(&run, &RunController::started, this, [this] {
        m_problem.clear();
        m_sleep.hold(tr("A model is being trained"));
    });
    connect(&run, &RunController::failed, this, [this](const QString& message) { m_problem = message; });
    connect(&run, &RunController::stateChanged, this, [this](session::RunState state) {
        if (!session::isOver(state)) return;
        m_sleep.release();
        if (!m_isLookedAt()) tellTheEnd(state);
    });
}

void RunAttendant::tellTheEnd(session::RunState state) {
    const models::RunEndText text = models::runEndText(m_run.job(), state, m_run.firstLoss(), m_run.snapshot().last);
    notify(m_session, text.headline, state == session::RunState::kFailed ? m_problem : text.detail);
}

} // namespace roundpipe::ui::desktop
