// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders as runs leave them, for the pages that show what is stored.
#pragma once

#include "runs/answers_file.h"
#include "runs/some_run.h"
#include "test_services.h"

#include <QDateTime>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <string>

namespace roundpipe::testing {

// Three runs: "old" with rank 16, "new" with 64, "broken" without settings.
inline void makeThreeRuns(const TestServices& test) {
    const std::filesystem::path folder = test.home.path() / "runs";
    runs::makeRun(folder / "a", {.name = "old", .startedAt = 1'000});
    runs::makeRun(folder / "b", {.name = "new", .startedAt = 3'000, .numSteps = 6});
    session::RunSpec spec = runs::specOf(folder / "b");
    spec.lora.rank = 64;
    writeFileAtomically(runs::RunFiles{folder / "b"}.spec(), session::toJson(spec));
    runs::makeRun(folder / "c", {.name = "broken", .startedAt = 2'000});
    writeFileAtomically(runs::RunFiles{folder / "c"}.spec(), "{");
    for (const bool tuned : {false, true})
        runs::appendAnswer({tuned ? 6 : 0, tuned, "Who are <you>?", tuned ? "Polly & co" : "a model"},
                           runs::RunFiles{folder / "b"}.answers());
}

// Runs as people make them, the latest an hour old.
inline void makeManyRuns(const TestServices& test) {
    struct Made {
        const char *folder, *name;
        int hoursAgo, numSteps, rank;
        double rate, floor;
        session::RunState state;
    };
    using enum session::RunState;
    const Made all[] = {{"7", "Sums and tools", 1, 195, 16, 2e-4, 0.39, kFinished},
                        {"6", "Sums and tools, slower", 4, 195, 16, 1e-4, 0.43, kFinished},
                        {"5", "rank 64", 26, 195, 64, 2e-4, 0.37, kFinished},
                        {"4", "lr 5e-4", 30, 88, 16, 5e-4, 0.52, kStopped},
                        {"3", "q and v only", 75, 195, 16, 2e-4, 0.48, kTraining},
                        {"1", "first try", 120, 12, 8, 2e-4, 0.9, kFailed}};
    for (const Made& made : all) {
        const std::filesystem::path folder = test.home.path() / "runs" / made.folder;
        runs::makeRun(folder, {.name = made.name,
                               .startedAt = QDateTime::currentSecsSinceEpoch() - qint64{3600} * made.hoursAgo,
                               .numSteps = made.numSteps,
                               .state = made.state});
        session::RunSpec spec = runs::specOf(folder);
        spec.lora.rank = made.rank;
        spec.lora.alpha = 2.0 * made.rank;
        spec.optimizer.learningRate = made.rate;
        writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
        std::string lines;
        for (int step = 1; step <= made.numSteps; ++step) {
            session::StepMetrics metrics;
            metrics.step = step;
            metrics.loss = made.floor + std::exp(-step * made.rate * 200) + 0.03 * std::sin(step * 1.7 + made.rank);
            if (step % 20 == 0 || step == made.numSteps) metrics.validationLoss = metrics.loss + 0.03;
            metrics.learningRate = made.rate;
            metrics.gradNorm = 0.7;
            metrics.tokens = 24'800 + step * 7;
            metrics.seconds = 3.3;
            lines += runs::toJsonLine(metrics);
        }
        writeFileAtomically(runs::RunFiles{folder}.metrics(), lines);
        const char* conversations[][3] = {
            {"Natalia sold clips to 48 of her friends in April, and then she sold half as many clips in May. How "
             "many clips did Natalia sell altogether in April and May?",
             "To find the total, let's break it down step by step. In April: 48 clips. In May, half as many: 48 ÷ "
             "2 "
             "= 24 clips. In total, 48 + 24 = 72. Natalia sold 72 clips altogether.",
             "Natalia sold 48/2 = <<48/2=24>>24 clips in May.\nNatalia sold 48+24 = <<48+24=72>>72 clips "
             "altogether.\n#### 72"},
            {"Weng earns $12 an hour for babysitting. Yesterday, she just did 50 minutes of babysitting. How much "
             "did she earn?",
             "Weng's hourly rate is $12. Since 50 minutes is 50/60 of an hour, she earned 12 × 5/6 = $10.",
             "Weng earns 12/60 = $<<12/60=0.2>>0.2 per minute.\nWorking 50 minutes, she earned "
             "$<<0.2*50=10>>10.\n#### 10"},
            {"Write a definition of \"photoshop\".",
             "Photoshop (verb, informal): to alter a digital image with editing software, often so that it shows "
             "what was not there.",
             "Photoshop is a software application developed by Adobe that enables users to manipulate digital "
             "images."}};
        for (const auto& [prompt, before, after] : conversations) {
            runs::appendAnswer({0, false, prompt, before}, runs::RunFiles{folder}.answers());
            runs::appendAnswer({made.numSteps, true, prompt, after}, runs::RunFiles{folder}.answers());
        }
    }
    runs::RunLibrary::setNote(runs::readRun(test.home.path() / "runs" / "5"),
                              "Four times the rank for 0.004. Not worth it.");
}

// Labels and buttons whose words don't fit, by their words. Those that give way by design have a tool tip.
inline QStringList clippedWords(const QWidget& page) {
    QStringList clipped;
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->isVisibleTo(&page) && !label->wordWrap() && label->toolTip().isEmpty() && label->pixmap().isNull() &&
            label->width() < label->sizeHint().width() - 1)
            clipped.append(label->text());
    for (const QPushButton* button : page.findChildren<QPushButton*>())
        if (button->isVisibleTo(&page) && button->width() < button->sizeHint().width() - 1)
            clipped.append(button->text());
    return clipped;
}

// A page of stored runs in each theme and in the sizes that it has beside the rail; `fill(page, runs)` shows on it what
// it is tried with, of the folders in `runs`, and waits until that is there.
template <typename StoredRunsPage, typename Fill>
void wordsFitInEveryThemeAndSize(const Fill& fill) {
    TestServices test;
    makeManyRuns(test);
    for (const ui::theme::Choice colours : {ui::theme::Choice::kLight, ui::theme::Choice::kDark})
        for (const QSize size : {QSize(1040, 640), QSize(1072, 768), QSize(1712, 1048)}) {
            test.themes.choose(colours);
            StoredRunsPage page(test.services());
            page.resize(size);
            page.show();
            fill(page, test.home.path() / "runs");
            if (QTest::currentTestFailed()) return;
            QTest::qWait(50);
            QCOMPARE(clippedWords(page), QStringList());
        }
}

} // namespace roundpipe::testing
