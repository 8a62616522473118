// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/runs_scenes.h"

#include "runs/journal.h"
#include "runs/run_files.h"
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

// Of a run that a driver's fault has ended, and that went on.
void runsJournal(Studio& studio) {
    writeThreeRuns(studio);
    const std::filesystem::path folder = studio.services().home.path() / "runs" / "Polly the parrot";
    runs::Journal journal(runs::RunFiles{folder}.journal());
    using enum runs::JournalEvent;
    journal.add(kBegun, 0, "", "roundpipe 0.1.0");
    journal.add(kCheckpoint, 60, "checkpoints/last", "");
    journal.add(kSkipped, 71, "", "The gradient is not finite: it holds NaN.");
    journal.add(kBegun, 60, "", "roundpipe 0.1.0, from checkpoints/last");
    journal.add(kNotWritten, 120, "checkpoints/last", "The disk is full: 1.2 GiB are needed, 0.4 GiB are free.");
    journal.add(kResult, 195, "adapter", "3f2a");
    journal.add(kEnded, 195, "finished", "");
    show(studio, "runs");
    QTest::qWait(800);
    studio.click("Journal");
    QTest::qWait(500);
}

} // namespace

std::vector<Scene> runsScenes() {
    return {
        {"runs-none", 1, runsNone},
        {"runs-three", 1, runsThree},
        {"runs-journal", 1, runsJournal},
    };
}

} // namespace roundpipe::testing
