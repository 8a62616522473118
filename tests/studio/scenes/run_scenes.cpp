// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/run_scenes.h"

#include "hosted/hosted_engine.h"
#include "runs/run_files.h"
#include "studio/scenes/projects.h"
#include "ui/timeline/plot/timeline_plot.h"
#include "ui/widgets/toast.h"

#include <QAction>
#include <QDateTime>
#include <QTest>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

void runNone(Studio& studio) {
    openLarge(studio);
    show(studio, "run");
}

void runRunning(Studio& studio) {
    openLarge(studio);
    start(studio);
    untilStep(studio, 6);
    QTest::qWait(300);
}

void runPaused(Studio& studio) {
    runRunning(studio);
    studio.services().commands.pause()->trigger();
    studio.waitFor("the pause", [&] { return studio.services().run.snapshot().state == session::RunState::kPaused; });
    QTest::qWait(300);
}

// Before the first step: the model is asked the project's prompts.
void runAnswering(Studio& studio) {
    openLarge(studio);
    start(studio);
    studio.waitFor("the answers",
                   [&] { return studio.services().run.snapshot().state == session::RunState::kAnswering; });
    QTest::qWait(500);
}

ui::timeline::TimelinePlot& plotOf(Studio& studio) {
    return *studio.window().page(QStringLiteral("run"))->findChild<ui::timeline::TimelinePlot*>();
}

// The middle of what is on show, measured.
void runRange(Studio& studio) {
    runPaused(studio);
    ui::timeline::TimelinePlot& plot = plotOf(studio);
    const auto& view = plot.scene().view;
    const int64_t quarterNs = view.spanNs() / 4;
    plot.select(view.beginNs() + quarterNs, view.endNs() - quarterNs);
    QTest::qWait(600);
}

// A slice and its microbatch's way, found by their words.
void runMicrobatch(Studio& studio) {
    runPaused(studio);
    ui::timeline::TimelinePlot& plot = plotOf(studio);
    plot.pinNext(ui::timeline::SliceFilter("forward m3 S4"), false);
    studio.waitFor("the microbatch", [&] { return plot.pinned().has_value(); });
    QTest::qWait(600);
}

void runKeys(Studio& studio) {
    runPaused(studio);
    QTest::keyClick(&plotOf(studio), Qt::Key_Question, Qt::ShiftModifier);
    QTest::qWait(300);
}

void runStopped(Studio& studio) {
    runRunning(studio);
    studio.services().run.stop();
    studio.waitFor("the end", [&] { return !studio.services().run.isRunning(); });
    QTest::qWait(300);
}

void runStopQuestion(Studio& studio) {
    runRunning(studio);
    studio.click("Stop…");
    QTest::qWait(300);
}

// Of an engine that trains, as far as the window knows.
void runCloseQuestion(Studio& studio) {
    studio.window().engineLoaded(QStringLiteral("LibTorch engine"), false);
    runRunning(studio);
    studio.window().close();
    QTest::qWait(300);
}

// Of a run in a process of its own, which can go on.
void runCloseAloneQuestion(Studio& studio) {
    const fs::path folder = studio.services().home.path() / "runs" / "polly";
    fs::create_directories(folder);
    studio.services().run.setEngine(
        std::make_unique<hosted::HostedEngine>(std::vector<std::string>{SIMULATED_HOST, "1", folder.string()}));
    studio.window().engineLoaded(QStringLiteral("LibTorch engine"), false);
    openDemo(studio);
    start(studio);
    untilStep(studio, 2);
    studio.window().close();
    QTest::qWait(300);
}

void runContinue(Studio& studio) {
    runStopped(studio);
    studio.click("Continue…");
    QTest::qWait(300);
}

// One slot is narrower than the others, which a finding says.
void runOnEight(Studio& studio) {
    const char* rig = "7x4090+4090@pcie4x4,ram=512";
    studio.services().plan.setRig(rig);
    studio.services().run.setEngine(simulatedEngine(10, rig));
    runRunning(studio);
    studio.window().findChild<ui::widgets::Toast*>()->hide(); // it has been read
    QTest::qWait(1'700);                                      // findings are worked out every second or two
}

void runFolded(Studio& studio) {
    runOnEight(studio);
    QTest::keyClick(studio.window().page(QStringLiteral("run")), Qt::Key_F11);
    QTest::qWait(300);
}

void runOnTwoWorkers(Studio& studio) {
    studio.services().run.setEngine(simulatedEngine(5, "2xcpu"));
    openDemo(studio);
    start(studio);
    untilStep(studio, 8);
    studio.services().commands.sample()->trigger();
    QTest::qWait(2'500);
}

void runEnded(Studio& studio) {
    openLarge(studio); // whose steps are longer than its answers take
    change(studio, [](session::RunSpec& spec) { spec.duration.maxSteps = 12; });
    start(studio);
    studio.waitFor(
        "the end", [&] { return !studio.services().run.isRunning(); }, 60);
    QTest::qWait(300);
}

// As by a machine that is short of memory: a checkpoint and a log are there, what is left of a run in a process of its
// own.
void runEngineKilled(Studio& studio) {
    const fs::path folder = studio.services().home.path() / "runs" / "polly";
    fs::create_directories(folder);
    studio.services().run.setEngine(
        std::make_unique<hosted::HostedEngine>(std::vector<std::string>{SIMULATED_HOST, "1", "killed", "8"}));
    openDemo(studio);
    change(studio, [&](session::RunSpec& spec) { spec.output.folder = folder.string(); });
    studio.settle();
    start(studio);
    untilStep(studio, 2);
    studio.services().commands.save()->trigger();
    studio.waitFor("the checkpoint", [&] { return studio.services().run.savedStep().has_value(); });
    std::string log;
    for (int step = 1; step <= 40; ++step)
        log += QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")).toStdString() +
               " info: step " + std::to_string(step) + " of 400: loss 2.81, 106 k tokens/s, 22.9 GiB of 23.6 GiB\n";
    writeFileAtomically(runs::RunFiles{folder}.log(), log);
    studio.waitFor("the end", [&] { return !studio.services().run.isRunning(); });
    QTest::qWait(300);
}

void runFailed(Studio& studio) {
    openDemo(studio);
    const fs::path folder = writeModel(studio, "gone", 4096, 36);
    change(studio, [&](session::RunSpec& spec) { spec.model.path = folder.string(); });
    studio.settle();
    fs::remove(folder / "config.json");
    start(studio);
    studio.waitFor("the end", [&] { return !studio.services().run.isRunning(); });
    QTest::qWait(300);
}

} // namespace

std::vector<Scene> runScenes() {
    return {
        {"run-none", 1, runNone},
        {"run-running", 10, runRunning},
        {"run-eight-devices", 10, runOnEight},
        {"run-folded", 10, runFolded},
        {"run-two-workers", 5, runOnTwoWorkers},
        {"run-paused", 10, runPaused},
        {"run-keys", 10, runKeys},
        {"run-stopped", 10, runStopped},
        {"run-stop-question", 10, runStopQuestion},
        {"run-close-question", 10, runCloseQuestion},
        {"run-close-alone-question", 10, runCloseAloneQuestion},
        {"run-continue", 10, runContinue},
        {"run-ended", 20, runEnded},
        {"run-failed", 1, runFailed},
        {"run-engine-killed", 1, runEngineKilled},
        {"run-answering", 1, runAnswering},
        {"run-range", 10, runRange},
        {"run-microbatch", 10, runMicrobatch},
    };
}

} // namespace roundpipe::testing
