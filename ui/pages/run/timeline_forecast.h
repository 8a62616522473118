// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner foresees, on the run's timeline: a whole step, faint, until the run has a trace of its own; from
// then on thin bars below its steps, where the run has the same stages.
#pragma once

#include "trace/store/lane_store.h"
#include "ui/pages/contract/services.h"

#include <QObject>

namespace roundpipe::ui::timeline {
class TimelineView;
}

namespace roundpipe::ui::pages {

class TimelineForecast : public QObject {
    Q_OBJECT
public:
    TimelineForecast(const Services& services, timeline::TimelineView& view, QObject* parent);

    void begin();  // a run begins: what the project's plan foresees now is held against it
    void forget(); // nothing is known of a run
    void show();   // if there is no trace yet, and something is foreseen
    void end();    // the run's own trace takes its place
    bool isShown() const { return m_isShown; }
    QString rigText() const { return m_rig; } // it is foreseen for this one, while it is shown

    void holdAgainst(const session::RunPlan& plan); // what was foreseen of other stages is dropped
    // Of the run's own stages; null: not known.
    const session::PredictedTimeline* ofTheRun() const { return m_foreseen ? m_foreseen->timeline.get() : nullptr; }

signals:
    void changed(); // isShown() or rigText()

private:
    void showBelowSteps();

    Services m_services;
    timeline::TimelineView& m_view;
    trace::LaneStore m_step;
    std::shared_ptr<const session::PlanAnswer> m_foreseen;
    QString m_rig;
    bool m_isShown = false;
};

} // namespace roundpipe::ui::pages
