// SPDX-License-Identifier: GPL-3.0-or-later
// What turning a setting would do on this rig: asked of the planner, one setting after the other, beside the project's
// own plan.
#pragma once

#include "ui/pages/contract/services.h"
#include "ui/pages/settings/plan_numbers.h"
#include "ui/pages/settings/setting_turns.h"

#include <QObject>

#include <map>
#include <optional>
#include <vector>

namespace roundpipe::ui::pages {

// Asks only while someone looks, and begins anew when the project's plan has changed; what was found stays when they
// look away. Without a plan there is nothing to compare with, and nothing is said.
class SettingEffects : public QObject {
    Q_OBJECT
public:
    explicit SettingEffects(const Services& services, QObject* parent = nullptr);
    void setWatched(bool watched);
    // "32: 2.9 s a step, −3 % speed, +120 MiB on the fullest device", and why where other weights stay there; a line
    // for each other value. Empty: not known.
    QString effectOf(const std::string& key) const;
    // What the fullest device then holds more or less. The plan that is best then may keep other weights on it, which
    // comes to more than the turned setting does: then that is said. Empty: no difference.
    static QString memoryText(const PlanNumbers& before, const PlanNumbers& after);

signals:
    void changed(const QString& key);

private:
    void forget();
    void beginAnew();
    void sayDuration();
    void askNext();
    void take();
    void say(const SettingTurn& turn, const session::PlanAnswer& base, const session::PlanAnswer& then);
    QString textOf(const session::PlanAnswer& base, const session::PlanAnswer& then) const;

    Services m_services;
    bridge::PlannerController m_planner;
    bool m_watched = false;
    bool m_isStale = true; // the project's plan has changed since the last question
    // The project's own settings by estimated times, which the others are compared with; nothing: asked for first.
    std::optional<PlanNumbers> m_estimate;
    std::vector<SettingTurn> m_turns;
    std::size_t m_next = 0; // that is asked about, or comes next
    std::map<std::string, QString> m_effects;
};

} // namespace roundpipe::ui::pages
