// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/queue_scenes.h"

#include "base/file.h"
#include "queue/sweep.h"
#include "runs/journal.h"
#include "runs/run_files.h"
#include "runs/run_status.h"
#include "studio/scenes/projects.h"
#include "studio/scenes/stored_runs.h"
#include "ui/pages/queue/grid_dialog.h"
#include "ui/pages/queue/queue_page.h"

#include <QAction>
#include <QTableView>
#include <QTest>

#include <memory>

namespace roundpipe::testing {
namespace {

queue::RunQueue lineOf(Studio& studio) {
    return queue::RunQueue(studio.services().home.path() / "queue");
}

queue::QueuedRun waiting(const char* name, const std::vector<std::string>& devices, double seconds) {
    queue::QueuedRun run;
    run.spec.name = name;
    run.spec.model.path = "/models/Qwen3-8B";
    run.spec.data.datasets.front().files = {"/data/support-mails.jsonl", "/data/faq.jsonl"};
    run.spec.engine.devices = devices;
    run.expectedSeconds = seconds;
    return run;
}

// As if it had been taken from the line.
void begin(Studio& studio, const ShownRun& shown, const char* grid) {
    const std::filesystem::path folder = studio.services().home.path() / "runs" / shown.name;
    queue::QueuedRun run = waiting(shown.name, {"cuda:0", "cuda:1"}, 0);
    run.spec.output.folder = folder.string();
    run.sweep = grid;
    lineOf(studio).add({run});
    lineOf(studio).take([&](const queue::QueuedRun& next) { return next.spec.name == shown.name; });
    writeStoredRun(studio, shown);
    session::RunSpec spec = runs::specOf(folder);
    spec.engine.devices = run.spec.engine.devices;
    writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
}

// Held as long as the window is there.
void hold(Studio& studio, runs::RunLock lock) {
    QObject::connect(&studio.window(), &QObject::destroyed,
                     [held = std::make_shared<runs::RunLock>(std::move(lock))] {});
}

void fillLine(Studio& studio) {
    studio.services().queue.setTrainer({"roundpipe"});
    begin(studio, {"Polly, Rank 8", 5, 2e-4, 8}, "ranks");
    begin(studio, {"Polly, Rank 16", 3, 1e-4, 16}, "ranks");
    begin(studio, {"Polly, Rank 32", 1, 5e-5, 32, 60, session::RunState::kTraining}, "ranks");
    const std::filesystem::path folder = studio.services().home.path() / "runs" / "Polly, Rank 32";
    runs::Journal(runs::RunFiles{folder}.journal()).add(runs::JournalEvent::kBegun, 0, "", "roundpipe 0.1.0");
    runs::RunStatus status = runs::readStatus(folder);
    status.totalSteps = 195;
    runs::writeStatus(status, folder);
    hold(studio, runs::RunLock(folder));
    queue::QueuedRun rank = waiting("Polly, Rank 64", {"cuda:0", "cuda:1"}, 6'300);
    rank.spec.lora.rank = 64;
    rank.sweep = "ranks";
    queue::QueuedRun mails = waiting("Support mails, long examples", {"cuda:0"}, 17'800);
    mails.spec.data.maxLength = 4096;
    mails.spec.optimizer.learningRate = 1e-4;
    mails.spec.duration.epochs = 1;
    lineOf(studio).add(
        {rank, mails, waiting("Small one", {"cuda:2"}, 900), waiting("Another small one", {"cuda:2"}, 0)});
}

void queueNone(Studio& studio) {
    show(studio, "queue");
}

void queueTraining(Studio& studio) {
    fillLine(studio);
    hold(studio, lineOf(studio).lockForTraining());
    show(studio, "queue");
    QTest::qWait(800);
}

void queuePausedByError(Studio& studio) {
    fillLine(studio);
    lineOf(studio).choose([](queue::QueueChoices& choices) {
        choices.afterError = queue::AfterError::kPause;
        choices.whenDone = queue::WhenDone::kSleep;
    });
    lineOf(studio).take([](const queue::QueuedRun& next) { return next.spec.name == "Small one"; });
    lineOf(studio).noteFailure(lineOf(studio).begun().back().number, "There is no model folder '/models/Qwen3-8B'.",
                               "Move it back, or choose another one.");
    show(studio, "queue");
    QTest::qWait(800);
}

std::filesystem::path fileOf(Studio& studio) {
    return studio.services().home.path() / "queue" / "queue.json";
}

// One run has a setting of a later version, another one is about to begin, and a name has two lines.
void queueUnreadable(Studio& studio) {
    fillLine(studio);
    lineOf(studio).add({waiting("Of a later version", {"cuda:2"}, 900), waiting("Two\nlines", {"cuda:2"}, 900)});
    std::string text = readTextFile(fileOf(studio));
    writeFileAtomically(fileOf(studio), text.replace(text.rfind("\"seed\"", text.find("Two")), 6, "\"gate\""));
    hold(studio, lineOf(studio).lockForTraining());
    lineOf(studio).take([](const queue::QueuedRun& next) { return next.spec.name == "Small one"; });
    show(studio, "queue");
    QTest::qWait(800);
    QTableView& table = studio.window().findChild<ui::pages::QueuePage*>()->table();
    table.selectRow(table.model()->rowCount() - 1);
    QTest::qWait(100);
}

void queueDamaged(Studio& studio) {
    std::filesystem::create_directories(fileOf(studio).parent_path());
    writeFileAtomically(fileOf(studio), R"({"next_number": 1e30, "waiting": [], "begun": []})");
    show(studio, "queue");
    QTest::qWait(800);
}

void queueBeside(Studio& studio) {
    openLarge(studio);
    studio.settle();
    fillLine(studio);
    show(studio, "plan");
    studio.services().queue.refresh();
    QTest::qWait(800);
    studio.services().commands.start()->trigger();
    QTest::qWait(800);
}

void queueGrid(Studio& studio) {
    openLarge(studio);
    studio.settle();
    show(studio, "queue");
    studio.click("Add a grid…");
    auto* dialog = studio.window().findChild<ui::pages::GridDialog*>();
    dialog->field(0).typed().setText(QStringLiteral("0.0001; 0.0002; 0.0005"));
    studio.click("Another setting");
    dialog->field(1).typed().setText(QStringLiteral("8; 64"));
    studio.waitFor("the times", [&] { return dialog->preview().rowCount() == 6; });
    QTest::qWait(2'000);
}

void queueGridWrong(Studio& studio) {
    openLarge(studio);
    studio.settle();
    show(studio, "queue");
    studio.click("Add a grid…");
    auto* dialog = studio.window().findChild<ui::pages::GridDialog*>();
    dialog->field(0).typed().setText(QStringLiteral("0.0001; fast"));
    QTest::qWait(400);
}

} // namespace

std::vector<Scene> queueScenes() {
    return {
        {"queue-none", 1, queueNone},
        {"queue-training", 1, queueTraining},
        {"queue-paused-by-error", 1, queuePausedByError},
        {"queue-unreadable", 1, queueUnreadable},
        {"queue-damaged", 1, queueDamaged},
        {"queue-beside", 1, queueBeside},
        {"queue-grid", 1, queueGrid},
        {"queue-grid-wrong", 1, queueGridWrong},
    };
}

} // namespace roundpipe::testing
