// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/runs_scenes.h"

#include "runs/journal.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
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

QTableView& tableOf(Studio& studio) {
    return static_cast<ui::pages::RunsPage*>(studio.window().page(QStringLiteral("runs")))->table();
}

void runsThree(Studio& studio) {
    writeThreeRuns(studio);
    show(studio, "runs");
    QTest::qWait(800);
    QTableView& table = tableOf(studio);
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

// One that still holds its folder, and has not advanced for twenty minutes.
void runsSilent(Studio& studio) {
    writeStoredRun(studio, {"Polly the parrot", 1, 2e-4, 16, 200, session::RunState::kTraining});
    writeStoredRun(studio, {"Support mails", 80, 5e-5, 32});
    const std::filesystem::path folder = studio.services().home.path() / "runs" / "Polly the parrot";
    runs::Journal(runs::RunFiles{folder}.journal()).add(runs::JournalEvent::kBegun, 0, "", "");
    const auto lock = std::make_shared<runs::RunLock>(folder);
    QObject::connect(&studio.window(), &QObject::destroyed, [lock] {}); // holds it so long
    const std::filesystem::path beat = runs::RunFiles{folder}.lock();
    std::filesystem::last_write_time(beat, std::filesystem::last_write_time(beat) - std::chrono::minutes(20));
    show(studio, "runs");
    QTest::qWait(800);
    tableOf(studio).setCurrentIndex(tableOf(studio).model()->index(0, 1));
    QTest::qWait(500);
}

void runsDeleteQuestion(Studio& studio) {
    writeThreeRuns(studio);
    show(studio, "runs");
    QTest::qWait(800);
    tableOf(studio).selectAll();
    studio.click("Delete…");
    QTest::qWait(300);
}

} // namespace

std::vector<Scene> runsScenes() {
    return {
        {"runs-none", 1, runsNone},
        {"runs-three", 1, runsThree},
        {"runs-journal", 1, runsJournal},
        {"runs-silent", 1, runsSilent},
        {"runs-delete-question", 1, runsDeleteQuestion},
    };
}

} // namespace roundpipe::testing
