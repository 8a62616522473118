// SPDX-License-Identifier: GPL-3.0-or-later
// Whether each model of the list fits this rig with the project's settings: asked of a planner, one after the other.
#pragma once

#include "ui/pages/contract/services.h"
#include "ui/pages/model/model_list.h"

#include <QObject>

namespace roundpipe::ui::pages {

// Asks while someone looks; during a run it waits for its end.
class ModelVerdicts : public QObject {
    Q_OBJECT
public:
    ModelVerdicts(const Services& services, ModelList& list, QObject* parent = nullptr);
    void setWatched(bool watched);
    void askNext(); // for the first model without a verdict; no-op while one is asked for

private:
    void forget();
    void take();

    Services m_services;
    ModelList& m_list;
    bridge::PlannerController m_planner;
    bool m_watched = false;
    std::string m_asked; // the path of the model; empty: none
};

} // namespace roundpipe::ui::pages
