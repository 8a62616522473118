// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a run in words, for the window and for the desktop.
#pragma once

#include "session/engine.h"

#include <QString>

#include <optional>

namespace roundpipe::ui::models {

struct RunEndText {
    QString headline; // "Polly is ready."
    QString detail;   // "Loss 4.62 → 0.31."; empty where no step was done
};

// `state`: one that is over.
RunEndText runEndText(const session::RunJob& job, session::RunState state, std::optional<double> firstLoss,
                      const std::optional<session::StepMetrics>& last);

} // namespace roundpipe::ui::models
