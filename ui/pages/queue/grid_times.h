// SPDX-License-Identifier: GPL-3.0-or-later
// How long the runs of a grid would take: asked of the planner, one after the other, beside the project's own plan.
#pragma once

#include "ui/pages/contract/services.h"

#include <QObject>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::ui::pages {

// Settings that change no plan are asked for once. Nothing is asked while a run is under way.
class GridTimes : public QObject {
    Q_OBJECT
public:
    explicit GridTimes(const Services& services, QObject* parent = nullptr);
    void setRuns(std::vector<session::RunSpec> runs);    // begins with those that are not known yet
    double secondsOf(const session::RunSpec& run) const; // 0: not known, or not yet
    bool isWorking() const { return m_isWorking; }

signals:
    void changed();

private:
    void askNext();
    void take();

    Services m_services;
    bridge::PlannerController m_planner;
    std::vector<session::RunSpec> m_runs;
    std::map<std::string, std::shared_ptr<const session::PlanAnswer>> m_answers; // by what plans depend on; null: none
    std::optional<double> m_factor; // of what is known of the project's step to its estimate; nothing: asked for first
    std::string m_asked;            // what the open question is about; empty: the project's estimate
    bool m_isWorking = false;
};

} // namespace roundpipe::ui::pages
