// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with what a run left, as commands that can be copied.
#pragma once

#include "ui/bridge/run_library_controller.h"

#include <QString>

#include <vector>

namespace roundpipe::ui::pages {

struct NextStep {
    QString name; // "vLLM"
    QString command;
};

// For a run with an adapter and settings; empty without either.
std::vector<NextStep> nextStepsOf(const bridge::RunDetails& details);

// As one word of a POSIX shell.
QString quoted(const QString& word);

} // namespace roundpipe::ui::pages
