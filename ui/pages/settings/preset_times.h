// SPDX-License-Identifier: GPL-3.0-or-later
// How long the whole run would take with each preset: asked of the planner, one after the other, beside the project's
// own plan.
#pragma once

#include "ui/document/presets.h"
#include "ui/pages/contract/services.h"

#include <QObject>

#include <map>
#include <optional>

namespace roundpipe::ui::pages {

// Asks only while someone looks, and begins anew when the project's plan has changed.
class PresetTimes : public QObject {
    Q_OBJECT
public:
    explicit PresetTimes(const Services& services, QObject* parent = nullptr);
    void setPresets(std::vector<document::Preset> presets);
    void setWatched(bool watched);
    QString timeOf(const QString& preset) const; // "9 min 16 s", "does not fit"; "–": not known

signals:
    void changed(const QString& preset);

private:
    void beginAnew();
    void askNext();
    void take();
    void say(const QString& preset, const QString& time);

    Services m_services;
    bridge::PlannerController m_planner;
    std::vector<document::Preset> m_presets;
    session::RunSpec m_asked;         // what the open question is about
    std::optional<double> m_estimate; // seconds of a step of the project's own settings; nothing: asked for first
    std::map<QString, QString> m_times;
    std::size_t m_next = 0;
    bool m_watched = false;
    bool m_isStale = true; // the project's plan has changed since the last question
};

} // namespace roundpipe::ui::pages
