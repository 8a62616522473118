// SPDX-License-Identifier: GPL-3.0-or-later
// Where std meets Qt for planning: owns the planner, pulls from it while a question is open, and tells the window in
// one signal that more is known.
#pragma once

#include "session/planning/planner.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <string>

namespace roundpipe::ui::bridge {

// GUI thread only. Nothing here waits for the planner, except the destructor for the piece of work in progress.
class PlannerController : public QObject {
    Q_OBJECT
public:
    explicit PlannerController(std::unique_ptr<session::Planner> planner, QObject* parent = nullptr);

    // As session::Planner::ask. Gives up the question before; what was said of that one stays in update(), as old,
    // until the first word on this one.
    void ask(session::PlanQuestion question, const std::string& rig);
    void forget(); // gives up the question, and what was said

    // What was said last: an answer, or a problem where there is none; neither before the first word.
    const session::PlanUpdate& update() const { return m_update; }
    bool isOld() const { return m_update.question != m_asked; } // update() is about an earlier question
    bool isWorking() const { return m_timer.isActive(); }       // more is to come

signals:
    void changed(); // update(), isOld() or isWorking()

private:
    void tick();

    std::unique_ptr<session::Planner> m_planner;
    uint64_t m_asked = 0; // the number of the last question
    session::PlanUpdate m_update;
    QTimer m_timer;
};

} // namespace roundpipe::ui::bridge
