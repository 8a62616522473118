// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/runs_scenes.h"

#include "studio/scenes/projects.h"
#include "studio/scenes/stored_runs.h"
#include "ui/pages/runs/runs_page.h"

#include <QTableView>
#include <QTest>

namespace roundpipe::testing {
namespace {

void runsNone(Studio& studio) {
    show(studio, "runs");
}

void runsThree(Studio& studio) {
    writeThreeRuns(studio);
    show(studio, "runs");
    QTest::qWait(800);
    QTableView& table = static_cast<ui::pages::RunsPage*>(studio.window().page(QStringLiteral("runs")))->table();
    for (int row : {0, 1}) {
        table.setCurrentIndex(table.model()->index(row, 1));
        studio.click("Compare");
    }
    QTest::qWait(500);
}

} // namespace

std::vector<Scene> runsScenes() {
    return {
        {"runs-none", 1, runsNone},
        {"runs-three", 1, runsThree},
    };
}

} // namespace roundpipe::testing
