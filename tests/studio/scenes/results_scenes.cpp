// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/results_scenes.h"

#include "studio/scenes/projects.h"
#include "studio/scenes/stored_runs.h"

#include <QTest>

namespace roundpipe::testing {
namespace {

void resultsNone(Studio& studio) {
    show(studio, "results");
}

void resultsOfARun(Studio& studio) {
    writeThreeRuns(studio);
    show(studio, "runs");
    QTest::qWait(800);
    studio.click("Open");
    QTest::qWait(800);
}

void resultsOfAStoppedRun(Studio& studio) {
    writeStoredRun(studio, {"Support mails", 3, 5e-5, 32, 40, session::RunState::kStopped});
    show(studio, "runs");
    QTest::qWait(800);
    studio.click("Open");
    QTest::qWait(800);
}

} // namespace

std::vector<Scene> resultsScenes() {
    return {
        {"results-none", 1, resultsNone},
        {"results-of-a-run", 1, resultsOfARun},
        {"results-stopped", 1, resultsOfAStoppedRun},
    };
}

} // namespace roundpipe::testing
