// SPDX-License-Identifier: GPL-3.0-or-later
// To which other values settings are turned, to say what that would do.
#pragma once

#include "session/planning/plan_answer.h"

#include <QString>

#include <string>
#include <vector>

namespace roundpipe::ui::pages {

struct SettingTurn {
    std::string key;
    QString value; // as its input shows it: "32", "nf4"
    session::RunSpec spec;
};

// Of the settings that a plan depends on: a number twice as large, another choice. What would be no other value, or has
// no effect beside the method, is left out; what the planner refuses is found by asking. In the order in which the
// answers are wanted: `base` is the plan of `spec`, and has one.
std::vector<SettingTurn> settingTurns(const session::RunSpec& spec, const session::PlanAnswer& base);

} // namespace roundpipe::ui::pages
