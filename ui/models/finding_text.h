// SPDX-License-Identifier: GPL-3.0-or-later
// What is found about a run, as the window words it.
#pragma once

#include "session/run/findings.h"

#include <QString>

namespace roundpipe::ui::models {

struct FindingText {
    QString headline; // "GPU 2 waits 18 % of the step for weights"
    QString detail;   // why, or what helps
    // What can be done: the button's text, and the page and setting it leads to; empty: nothing.
    QString action;
    QString page;
    QString field;
};

// `plan`: of the run that it was found in.
FindingText findingText(const session::RunFinding& finding, const session::RunPlan& plan);
// Where nothing was found; empty while there is nothing to say.
QString allIsWellText(const session::RunFindings& findings);
QString deviceName(const session::RunPlan& plan, int32_t device); // "GPU 2", "Worker 0"

} // namespace roundpipe::ui::models
