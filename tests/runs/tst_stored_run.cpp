// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/journal.h"
#include "runs/run_lock.h"
#include "runs/stored_run.h"
#include "some_run.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

namespace roundpipe::runs {
namespace {

class Stored : public ::testing::Test {
protected:
    testing::TemporaryFolder home;
    std::filesystem::path folder = home.path() / "answers";
};

TEST_F(Stored, tellsAllThatItsFolderHolds) {
    makeRun(folder, {.name = "My run"});
    writeFileAtomically(RunFiles{folder}.note(), "a note");
    const StoredRun run = readRun(folder);
    EXPECT_EQ(run.name, "My run");
    EXPECT_EQ(run.outcome, RunOutcome::kFinished);
    EXPECT_EQ(run.problem, "");
    EXPECT_EQ(run.startedAt, 1'000'000);
    EXPECT_EQ(run.model, "Qwen3, 4 blocks");
    EXPECT_EQ(run.devices, (std::vector<std::string>{"GPU \"0\"", "GPU 1"}));
    EXPECT_EQ(run.steps, 4);
    EXPECT_EQ(run.totalSteps, 4);
    EXPECT_EQ(run.seconds, 10);
    EXPECT_EQ(run.tokens, 1000);
    EXPECT_EQ(run.tokensPerSecond(), 100);
    EXPECT_EQ(run.lastLoss, 1);
    EXPECT_EQ(run.firstValidation, 4);
    EXPECT_EQ(run.lastValidation, 2);
    EXPECT_EQ(run.bestValidation, 2);
    EXPECT_EQ(run.adapterBytes, 1000);
    EXPECT_GT(run.bytes, 1000);
    ASSERT_EQ(run.checkpoints.size(), 1U);
    EXPECT_EQ(run.checkpoints[0].name, "last");
    EXPECT_EQ(run.checkpoints[0].step, 3);
    EXPECT_EQ(run.checkpoints[0].validationLoss, 4) << "of step 2, the last one that was validated until then";
    EXPECT_GT(run.checkpoints[0].bytes, 0);
    EXPECT_EQ(run.note, "a note");
}

TEST_F(Stored, isCalledAsItsFolderWithoutAName) {
    EXPECT_EQ(readRun(makeRun(folder)).name, "answers");
}

TEST_F(Stored, runsWhileSomebodyHoldsIt) {
    makeRun(folder, {.state = session::RunState::kTraining});
    EXPECT_EQ(readRun(folder).outcome, RunOutcome::kInterrupted);
    const std::string before = fingerprintOf(folder);
    const RunLock lock(folder);
    EXPECT_EQ(readRun(folder).outcome, RunOutcome::kRunning);
    EXPECT_NE(fingerprintOf(folder), before);
}

TEST_F(Stored, hasEndedAsItsJournalSaysWhateverItsStatusSays) {
    makeRun(folder, {.state = session::RunState::kTraining}); // killed before it could be written there
    Journal journal(RunFiles{folder}.journal());
    journal.add(JournalEvent::kBegun, 0, "", "");
    EXPECT_EQ(readRun(folder).outcome, RunOutcome::kInterrupted);
    const std::string before = fingerprintOf(folder);
    journal.add(JournalEvent::kEnded, 4, "failed", "A device has fallen off the bus.");
    EXPECT_NE(fingerprintOf(folder), before) << "so that lists read it again";
    const StoredRun run = readRun(folder);
    EXPECT_EQ(run.outcome, RunOutcome::kFailed);
    EXPECT_EQ(run.problem, "A device has fallen off the bus.");
    EXPECT_GT(run.endedAt, 1'600'000'000);
    EXPECT_EQ(run.startedAt, 1'000'000);
    journal.add(JournalEvent::kBegun, 4, "", ""); // goes on
    EXPECT_EQ(readRun(folder).outcome, RunOutcome::kInterrupted);
}

TEST_F(Stored, isKnownByItsJournalWhereItsStatusIsDamaged) {
    makeRun(folder);
    writeFileAtomically(RunFiles{folder}.status(), "{\"state\": \"fin");
    Journal journal(RunFiles{folder}.journal());
    journal.add(JournalEvent::kBegun, 0, "", "");
    journal.add(JournalEvent::kEnded, 4, "stopped", "");
    const StoredRun run = readRun(folder);
    EXPECT_EQ(run.outcome, RunOutcome::kStopped);
    EXPECT_NE(run.problem.find("status.json"), std::string::npos) << run.problem;
    EXPECT_GT(run.startedAt, 1'600'000'000);
}

TEST_F(Stored, runsWhileItIsHeldThoughAllElseSaysThatItHasEnded) {
    makeRun(folder);
    Journal journal(RunFiles{folder}.journal());
    journal.add(JournalEvent::kBegun, 0, "", "");
    journal.add(JournalEvent::kEnded, 4, "finished", "");
    EXPECT_EQ(readRun(folder).outcome, RunOutcome::kFinished);
    const RunLock lock(folder); // one that goes on looks at its checkpoints first
    EXPECT_EQ(readRun(folder).outcome, RunOutcome::kRunning);
}

TEST_F(Stored, wasLastHeardOfWhenItWroteSomethingDown) {
    makeRun(folder, {.state = session::RunState::kTraining});
    Journal(RunFiles{folder}.journal()).add(JournalEvent::kBegun, 0, "", "");
    const int64_t heard = readRun(folder).endedAt;
    EXPECT_GT(heard, 1'600'000'000);
    { const RunLock lock(folder); }
    namespace fs = std::filesystem;
    const fs::path file = RunFiles{folder}.lock();
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::hours(1)); // beats later than that
    EXPECT_EQ(readRun(folder).endedAt, RunLock::lastBeat(folder));
    EXPECT_GE(readRun(folder).endedAt, heard + 3599);
}

TEST_F(Stored, ofAnOlderVersionHasNoStatus) {
    makeRun(folder);
    std::filesystem::remove(RunFiles{folder}.status());
    const StoredRun run = readRun(folder);
    EXPECT_EQ(run.outcome, RunOutcome::kUnknown);
    EXPECT_EQ(run.problem, "");
    EXPECT_EQ(run.model, "/models/a");
    EXPECT_GT(run.startedAt, 1'600'000'000) << "when run.json was written";
    EXPECT_EQ(run.steps, 4);
}

TEST_F(Stored, saysWhatIsBrokenAndGoesOn) {
    makeRun(folder);
    writeFileAtomically(RunFiles{folder}.spec(), "{");
    StoredRun run = readRun(folder);
    EXPECT_NE(run.problem.find("run.json"), std::string::npos) << run.problem;
    EXPECT_EQ(run.name, "answers");
    EXPECT_EQ(run.steps, 4);
    makeRun(folder);
    writeFileAtomically(RunFiles{folder}.metrics(), "nonsense\n");
    run = readRun(folder);
    EXPECT_NE(run.problem.find("metrics.jsonl"), std::string::npos) << run.problem;
    EXPECT_EQ(run.steps, 0);
    EXPECT_EQ(run.adapterBytes, 1000);
    testing::expectError(ErrorKind::kIo, {"nowhere"}, [&] { readRun(home.path() / "nowhere"); });
}

TEST_F(Stored, tellsWhyItFailed) {
    makeRun(folder, {.state = session::RunState::kFailed});
    std::filesystem::remove(RunFiles{folder}.spec()); // it had not come that far
    const StoredRun run = readRun(folder);
    EXPECT_EQ(run.outcome, RunOutcome::kFailed);
    EXPECT_EQ(run.problem, "The disk is full.");
}

TEST_F(Stored, isNewWheneverAFileChanged) {
    makeRun(folder);
    const RunFiles files{folder};
    std::string before = fingerprintOf(folder);
    EXPECT_EQ(fingerprintOf(folder), before);
    for (const std::filesystem::path& file : {files.spec(), files.status(), files.metrics(), files.answers(),
                                              files.note(), files.journal(), files.trace()}) {
        writeFileAtomically(file, "changed");
        const std::string after = fingerprintOf(folder);
        EXPECT_NE(after, before) << file;
        before = after;
    }
    std::filesystem::create_directories(files.bestCheckpoint());
    EXPECT_NE(fingerprintOf(folder), before);
}

} // namespace
} // namespace roundpipe::runs
