// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/results_scenes.h"

#include "studio/scenes/projects.h"
#include "studio/scenes/stored_runs.h"
#include "ui/shown_exporter.h"

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

void resultsDeleteQuestion(Studio& studio) {
    resultsOfARun(studio);
    studio.click("Delete…");
    QTest::qWait(300);
}

// One that holds, one that does not, and a third under way.
void resultsWithExports(Studio& studio) {
    writeThreeRuns(studio);
    const std::filesystem::path run = studio.services().home.path() / "runs" / "Polly the parrot";
    writeExport(run, exportRecord(run, ExportKind::kOllama, GgufType::kQ4KM, true));
    writeExport(run, exportRecord(run, ExportKind::kGguf, GgufType::kQ8, false));
    studio.services().exports.setExporter(std::make_unique<ShownExporter>());
    show(studio, "runs");
    QTest::qWait(800);
    studio.click("Open");
    QTest::qWait(800);
    studio.services().exports.begin({.run = run, .kind = ExportKind::kMerged});
    QTest::qWait(300);
}

void resultsCloseQuestion(Studio& studio) {
    resultsWithExports(studio);
    studio.window().close();
    QTest::qWait(300);
}

void resultsExportDialog(Studio& studio) {
    writeThreeRuns(studio);
    studio.services().exports.setExporter(std::make_unique<ShownExporter>());
    show(studio, "runs");
    QTest::qWait(800);
    studio.click("Open");
    QTest::qWait(800);
    studio.click("Export…");
    QTest::qWait(500);
}

} // namespace

std::vector<Scene> resultsScenes() {
    return {
        {"results-none", 1, resultsNone},
        {"results-of-a-run", 1, resultsOfARun},
        {"results-stopped", 1, resultsOfAStoppedRun},
        {"results-delete-question", 1, resultsDeleteQuestion},
        {"results-exports", 1, resultsWithExports},
        {"results-close-question", 1, resultsCloseQuestion},
        {"results-export-dialog", 1, resultsExportDialog},
    };
}

} // namespace roundpipe::testing
