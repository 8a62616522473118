// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders that pages about stored runs show.
#pragma once

#include "studio/studio.h"

namespace roundpipe::testing {

struct ShownRun {
    const char* name;
    int hoursAgo;
    double rate; // of learning: how fast its loss falls
    int64_t rank;
    int numSteps = 195;
    session::RunState state = session::RunState::kFinished;
};
void writeStoredRun(Studio& studio, const ShownRun& run);
void writeThreeRuns(Studio& studio);

} // namespace roundpipe::testing
