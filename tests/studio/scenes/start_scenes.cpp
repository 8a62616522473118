// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio/scenes/start_scenes.h"

#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "runs/run_status.h"
#include "studio/scenes/projects.h"
#include "studio/scenes/stored_runs.h"
#include "ui/setup/set_up_dialog.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QTest>
#include <QWindow>

#include <chrono>

namespace roundpipe::testing {
namespace {

namespace fs = std::filesystem;

void startFresh(Studio& studio) {
    show(studio, "start");
}

void startWithProjects(Studio& studio) {
    for (const char* name : {"support-mails", "parrot", "translations, the second attempt with longer rows"}) {
        const fs::path file = studio.services().home.path() / name / "run.json";
        fs::create_directories(file.parent_path());
        writeFileAtomically(file, "{}");
        studio.services().preferences.addRecentProject(QString::fromStdString(file.string()));
    }
    show(studio, "start");
}

void startNotSetUp(Studio& studio) { // as an installed program is for the first time
    studio.window().engineNotSetUp([] {});
    show(studio, "start");
}

// What is asked then; the script says sizes and fetches nothing.
void startSetUp(Studio& studio) {
    startNotSetUp(studio);
    const fs::path packaging = studio.services().home.path() / "packaging";
    fs::create_directories(packaging / "requirements");
    for (const char* list : {"engine.txt", "data.txt"})
        writeFileAtomically(packaging / "requirements" / list, "made-up==1 # 1\n");
    writeFileAtomically(packaging / "setup", "#!/bin/sh\necho '@missing 2568 5136'\n");
    fs::permissions(packaging / "setup", fs::perms::owner_all);
    auto* dialog = new ui::setup::SetUpDialog(packaging, &studio.window());
    dialog->show();
    QTest::qWait(500);
}

void startWithABrokenProject(Studio& studio) {
    const fs::path file = studio.services().home.path() / "broken" / "run.json";
    fs::create_directories(file.parent_path());
    writeFileAtomically(file, R"({"lora": {"rnk": 3}})");
    studio.window().openFiles({QString::fromStdString(file.string())});
    show(studio, "start");
}

void startWithFilesOverIt(Studio& studio) {
    show(studio, "start");
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(QStringLiteral("/rows.jsonl"))});
    QDragEnterEvent enter(studio.window().rect().center(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(studio.window().windowHandle(), &enter);
}

// As after a crash of the machine.
void startInterrupted(Studio& studio) {
    writeThreeRuns(studio);
    const ShownRun interrupted[] = {{"Sums and tools", 7, 2e-4, 16, 929, session::RunState::kTraining},
                                    {"rank 64", 30, 1e-4, 64, 40, session::RunState::kTraining}};
    for (const ShownRun& run : interrupted) {
        writeStoredRun(studio, run);
        const fs::path folder = studio.services().home.path() / "runs" / run.name;
        runs::RunStatus status = runs::readStatus(folder);
        status.totalSteps = 1'200;
        runs::writeStatus(status, folder);
        const runs::RunLock wasHeld(folder);
        fs::last_write_time(runs::RunFiles{folder}.lock(),
                            fs::file_time_type::clock::now() - std::chrono::hours(run.hoursAgo));
    }
    startWithProjects(studio);
    studio.services().runLibrary.refresh(); // it was on show before there were runs
    QTest::qWait(500);
}

// With settings that have no counterpart here.
void startForeignRun(Studio& studio) {
    const fs::path file = studio.services().home.path() / "sft.yaml";
    writeFileAtomically(file, "model_name_or_path: Qwen/Qwen3-8B\nstage: sft\nfinetuning_type: lora\nlora_rank: 24\n"
                              "template: qwen3\ndeepspeed: examples/deepspeed/ds_z3_config.json\nflash_attn: fa2\n"
                              "report_to: wandb\npreprocessing_num_workers: 16\nuse_unsloth_gc: true\n");
    studio.window().openFiles({QString::fromStdString(file.string())});
    QTest::qWait(500);
}

} // namespace

std::vector<Scene> startScenes() {
    return {
        {"start-fresh", 1, startFresh},
        {"start-with-projects", 1, startWithProjects},
        {"start-not-set-up", 1, startNotSetUp},
        {"start-set-up", 1, startSetUp},
        {"start-broken-project", 1, startWithABrokenProject},
        {"start-dragged-over", 1, startWithFilesOverIt},
        {"start-interrupted", 1, startInterrupted},
        {"start-foreign-run", 1, startForeignRun},
    };
}

} // namespace roundpipe::testing
