// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a run's folder: written and read back, half written, broken.
#include "runs/answers_file.h"
#include "runs/exports_file.h"
#include "runs/run_lock.h"
#include "runs/stored_run.h"
#include "some_run.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

namespace roundpipe::runs {
namespace {

using testing::expectError;

void append(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::app) << text;
}

TEST(Metrics, lineHasStableKeys) {
    session::StepMetrics metrics;
    metrics.step = 3;
    metrics.loss = 2;
    metrics.tokens = 100;
    metrics.seconds = 0.5;
    EXPECT_EQ(toJsonLine(metrics), "{\"step\":3,\"loss\":2.0,\"validation_loss\":null,\"lr\":0.0,\"grad_norm\":0.0,"
                                   "\"tokens\":100,\"trained_tokens\":0,\"seconds\":0.5}\n");
    metrics.validationLoss = 1.5;
    EXPECT_NE(toJsonLine(metrics).find("\"validation_loss\":1.5"), std::string::npos);
}

TEST(Metrics, comeBackToTheLastBit) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "metrics.jsonl";
    EXPECT_TRUE(readMetrics(file).empty());
    session::StepMetrics metrics{1, 1.0 / 3, 2.0 / 3, 2e-4, 0.7, 4096, 1234, 0.1};
    append(file, toJsonLine(metrics));
    metrics.loss = std::nan("");
    metrics.validationLoss.reset();
    append(file, toJsonLine(metrics) + "{\"step\": 3, \"lo"); // somebody is writing
    const std::vector<session::StepMetrics> read = readMetrics(file);
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].loss, 1.0 / 3);
    EXPECT_EQ(read[0].validationLoss, 2.0 / 3);
    EXPECT_EQ(read[0].learningRate, 2e-4);
    EXPECT_EQ(read[0].gradNorm, 0.7);
    EXPECT_EQ(read[0].tokens, 4096);
    EXPECT_EQ(read[0].trainedTokens, 1234);
    EXPECT_EQ(read[0].seconds, 0.1);
    EXPECT_TRUE(std::isnan(read[1].loss));
    EXPECT_FALSE(read[1].validationLoss);
    EXPECT_EQ(read[1].lossScale, 1);
    EXPECT_FALSE(read[1].skipped);
    append(file, "ss\": 1}\n");
    expectError(ErrorKind::kInvalidInput, {"metrics.jsonl", "line 3", "step"}, [&] { readMetrics(file); });
}

TEST(Metrics, ofFp16SayTheLossScaleAndWhatWasSkipped) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "metrics.jsonl";
    session::StepMetrics metrics;
    metrics.gradNorm = std::numeric_limits<double>::infinity();
    metrics.lossScale = 4096;
    metrics.skipped = true;
    append(file, toJsonLine(metrics));
    const std::vector<session::StepMetrics> read = readMetrics(file);
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].lossScale, 4096);
    EXPECT_TRUE(read[0].skipped);
    EXPECT_FALSE(std::isfinite(read[0].gradNorm));
}

TEST(Answers, areGatheredByTheirPrompt) {
    const testing::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "answers.jsonl";
    appendAnswer({0, false, "Who?", "I\ndon't know."}, file);
    appendAnswer({0, false, "What?", "\"Nothing\""}, file);
    appendAnswer({5, true, "Who?", "half"}, file);
    appendAnswer({9, true, "Who?", "Polly · 鸚鵡"}, file);
    appendAnswer({9, true, "New?", "yes\xff"}, file); // half a character
    const std::vector<BeforeAndAfter> all = byPrompt(readAnswers(file));
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].before, "I\ndon't know.");
    EXPECT_EQ(all[0].after, "Polly · 鸚鵡");
    EXPECT_EQ(all[0].step, 9);
    EXPECT_EQ(all[1].before, "\"Nothing\"");
    EXPECT_EQ(all[1].after, "");
    EXPECT_EQ(all[2].before, "");
    EXPECT_TRUE(all[2].after.starts_with("yes"));
    append(file, "[]\n");
    expectError(ErrorKind::kInvalidInput, {"answers.jsonl", "line 6"}, [&] { readAnswers(file); });
}

TEST(RunStatus, comesBack) {
    const testing::TemporaryFolder folder;
    const RunStatus status{session::RunState::kFailed,
                           1,
                           2,
                           "a model",
                           {"one", "two"},
                           3,
                           4,
                           5,
                           "The \"disk\" is full.",
                           "Make room.",
                           "a hash",
                           "the next one's",
                           "a name"};
    writeStatus(status, folder.path());
    const RunStatus read = readStatus(folder.path());
    EXPECT_EQ(read.state, status.state);
    EXPECT_EQ(read.startedAt, 1);
    EXPECT_EQ(read.endedAt, 2);
    EXPECT_EQ(read.model, status.model);
    EXPECT_EQ(read.devices, status.devices);
    EXPECT_EQ(read.totalSteps, 3);
    EXPECT_EQ(read.numExamples, 4);
    EXPECT_EQ(read.numTrainableParameters, 5);
    EXPECT_EQ(read.problem, status.problem);
    EXPECT_EQ(read.advice, status.advice);
    EXPECT_EQ(read.settings, status.settings);
    EXPECT_EQ(read.settingsToCome, status.settingsToCome);
    EXPECT_EQ(read.run, status.run);
    for (const char* wrong : {"", "[]", "{\"version\": 1}", "{\"version\": 2, \"state\": \"finished\"}",
                              "{\"version\": 1, \"state\": \"dancing\"}"}) {
        writeFileAtomically(RunFiles{folder.path()}.status(), wrong);
        expectError(ErrorKind::kInvalidInput, {"status.json"}, [&] { readStatus(folder.path()); });
    }
}

TEST(TrainingState, comesBack) {
    const testing::TemporaryFolder folder;
    EXPECT_FALSE(hasTrainingState(folder.path()));
    writeTrainingState({17, 42, 1.25}, folder.path());
    EXPECT_TRUE(hasTrainingState(folder.path()));
    EXPECT_EQ(readTrainingState(folder.path()).step, 17);
    EXPECT_EQ(readTrainingState(folder.path()).seed, 42);
    EXPECT_EQ(readTrainingState(folder.path()).bestValidationLoss, 1.25);
    writeTrainingState({17, 42, {}}, folder.path());
    EXPECT_FALSE(readTrainingState(folder.path()).bestValidationLoss);
    EXPECT_FALSE(readTrainingState(folder.path()).lossScale);
    TrainingState inFp16;
    inFp16.step = 3;
    inFp16.lossScale = LossScale{1024, 2048, 7, 3};
    writeTrainingState(inFp16, folder.path());
    EXPECT_EQ(readTrainingState(folder.path()).lossScale, inFp16.lossScale);
    for (const LossScale& damaged :
         {LossScale{1000, 2048}, LossScale{1024, -1}, LossScale{0, 1}, LossScale{1, 1, 0, 4}}) {
        inFp16.lossScale = damaged;
        writeTrainingState(inFp16, folder.path());
        expectError(ErrorKind::kInvalidInput, {"state.json", "loss_scale"}, [&] { readTrainingState(folder.path()); });
    }
}

// A run that is moved takes with it what lies in its folder.
TEST(ExportsFile, knowsExportsOfARunThatWasMoved) {
    const testing::TemporaryFolder home;
    const std::filesystem::path before = home.path() / "before", now = home.path() / "now";
    const std::filesystem::path elsewhere = home.path() / "elsewhere";
    std::filesystem::create_directories(before / "exports/gguf");
    std::filesystem::create_directory_symlink(before, home.path() / "link"); // as the library has runs of elsewhere
    ExportRecord record;
    record.folder = (home.path() / "link/exports/gguf").string();
    appendExport(record, before / "exports.jsonl");
    record.folder = elsewhere.string();
    appendExport(record, before / "exports.jsonl");
    std::filesystem::rename(before, now);
    const std::vector<ExportRecord> found = readExports(now / "exports.jsonl");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].folder, (now / "exports/gguf").string());
    EXPECT_EQ(found[1].folder, elsewhere.string());
}

TEST(TrainingState, keepsWhatItWasTrainedOnAndHowValidationsWent) {
    const testing::TemporaryFolder folder;
    TrainingState state{3, 42, 1.5};
    state.validationsNotLower = 4;
    state.fingerprint = {"of rows", "of config.json", "of the weights"};
    writeTrainingState(state, folder.path());
    EXPECT_EQ(readTrainingState(folder.path()).validationsNotLower, 4);
    EXPECT_EQ(readTrainingState(folder.path()).fingerprint, state.fingerprint);
}

TEST(StoredRun, isResumedFromTheCheckpointOfTheMostSteps) {
    StoredRun run;
    run.checkpoints.resize(1);
    run.checkpoints[0].name = "best";
    EXPECT_TRUE(run.isToResumeFrom(run.checkpoints[0]));
    run.checkpoints.resize(2);
    run.checkpoints[1].name = "last";
    EXPECT_FALSE(run.isToResumeFrom(run.checkpoints[0]));
    EXPECT_TRUE(run.isToResumeFrom(run.checkpoints[1])) << "of equal ones";
    run.checkpoints[0].step = 1;
    EXPECT_TRUE(run.isToResumeFrom(run.checkpoints[0]));
    EXPECT_FALSE(run.isToResumeFrom(run.checkpoints[1]));
}

TEST(RunLock, isHeldByOneAtATime) {
    const testing::TemporaryFolder folder;
    EXPECT_FALSE(RunLock::isHeld(folder.path()));
    {
        const RunLock lock(folder.path());
        EXPECT_TRUE(RunLock::isHeld(folder.path()));
        expectError(ErrorKind::kInvalidInput, {folder.path().string(), "under way"},
                    [&] { RunLock second(folder.path()); });
    }
    EXPECT_FALSE(RunLock::isHeld(folder.path()));
    RunLock again(folder.path());
    const int64_t taken = RunLock::lastBeat(folder.path());
    const std::filesystem::path file = RunFiles{folder.path()}.lock();
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
    EXPECT_EQ(RunLock::lastBeat(folder.path()), taken - 3600);
    again.beat();
    EXPECT_GE(RunLock::lastBeat(folder.path()), taken);
}

// `train` itself asks while its engine takes the lock, and so do lists of runs in other programs.
TEST(RunLock, whoAsksDoesNotTakeIt) {
    const testing::TemporaryFolder folder;
    { const RunLock makesTheFile(folder.path()); }
    std::atomic<bool> isOver = false;
    std::thread asks([&] {
        while (!isOver)
            RunLock::isHeld(folder.path());
    });
    for (int i = 0; i < 20000; ++i)
        EXPECT_NO_THROW(RunLock lock(folder.path()));
    isOver = true;
    asks.join();
}

TEST(RunLock, goesAlongWithItsFolder) {
    namespace fs = std::filesystem;
    const testing::TemporaryFolder home;
    const fs::path before = home.path() / "run", after = home.path() / "a run (deleted)";
    fs::create_directories(before);
    const RunLock lock(before);
    EXPECT_TRUE(lock.isAt(before));
    fs::rename(before, after);
    EXPECT_FALSE(lock.isAt(before));
    EXPECT_EQ(lock.place(), fs::canonical(after));
    fs::create_directories(before);
    EXPECT_FALSE(lock.isAt(before)) << "another one of the same name";
    EXPECT_TRUE(RunLock::isHeld(after));
    fs::remove_all(after);
    EXPECT_EQ(lock.place(), fs::path());
    EXPECT_FALSE(lock.isAt(after));
}

} // namespace
} // namespace roundpipe::runs
