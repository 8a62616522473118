// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/line_time.h"

#include "base/file.h"
#include "runs/journal.h"
#include "runs/run_files.h"
#include "runs/run_lock.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

namespace roundpipe::queue {
namespace {

namespace fs = std::filesystem;

class LeftRuns : public ::testing::Test {
protected:
    // In the library; a run of no model.
    fs::path makeRun(const std::string& name) const {
        const fs::path folder = m_folder.path() / "runs" / name;
        fs::create_directories(folder);
        session::RunSpec spec;
        spec.name = name;
        writeFileAtomically(runs::RunFiles{folder}.spec(), session::toJson(spec));
        runs::Journal(runs::RunFiles{folder}.journal()).add(runs::JournalEvent::kBegun, 0, "", "a test");
        return folder;
    }
    BegunRun begun(int64_t number, const fs::path& folder) const {
        BegunRun run{number, folder.filename(), "grid", folder};
        run.devices = {"cuda:1"};
        return run;
    }
    BegunRun ended(int64_t number, const fs::path& folder) const {
        BegunRun run = begun(number, folder);
        run.hasEnded = true;
        run.id = runs::idOf(folder);
        return run;
    }
    std::vector<LeftRun> left(const std::vector<BegunRun>& all, bool isTrained = false) {
        return leftRunsOf(all, m_library, isTrained);
    }

    testing::TemporaryFolder m_folder;
    runs::RunLibrary m_library{m_folder.path() / "runs", m_folder.path() / "runs.sqlite"};
};

TEST_F(LeftRuns, areFoundWhereTheirFolderWasMovedAfterTheirEnd) {
    const BegunRun a = ended(1, makeRun("a")), b = ended(2, makeRun("b"));
    ASSERT_NE(a.id, b.id);
    fs::rename(a.folder, m_folder.path() / "runs" / "elsewhere");
    fs::rename(b.folder, a.folder); // and another one lies there now
    const auto found = left({a, b});
    ASSERT_TRUE(found[0].run && found[1].run);
    EXPECT_EQ(found[0].run->folder.filename(), "elsewhere");
    EXPECT_EQ(found[0].name(), "a");
    EXPECT_EQ(found[1].name(), "b");
    fs::remove_all(m_folder.path() / "runs" / "elsewhere");
    EXPECT_FALSE(left({a})[0].run) << "what lies in its folder is another's";
}

TEST_F(LeftRuns, keepTheirIdInTheIndex) {
    const BegunRun a = ended(1, makeRun("a"));
    left({a});
    fs::rename(a.folder, m_folder.path() / "runs" / "elsewhere");
    EXPECT_TRUE(left({a})[0].run) << "read";
    EXPECT_TRUE(left({a})[0].run) << "from the index";
}

TEST_F(LeftRuns, startUntilTheyHaveAFolderOrHaveEnded) {
    const BegunRun none = begun(1, m_folder.path() / "runs" / "none");
    EXPECT_TRUE(left({none}, true)[0].isStarting);
    EXPECT_EQ(left({none}, true)[0].devices(), std::vector<std::string>{"cuda:1"});
    EXPECT_FALSE(left({none}, false)[0].isStarting) << "nobody trains the line";
    BegunRun gone = none;
    gone.hasEnded = true;
    EXPECT_FALSE(left({gone}, true)[0].isStarting);
    BegunRun bad = none;
    bad.problem = "No rows.";
    EXPECT_FALSE(left({bad}, true)[0].isStarting);
    EXPECT_TRUE(left({bad}, true)[0].hasFailed());
    const fs::path folder = makeRun("now");
    const runs::RunLock lock(folder);
    const auto now = left({begun(2, folder)}, true);
    EXPECT_TRUE(now[0].isUnderWay());
    EXPECT_FALSE(now[0].isStarting);
}

TEST(LeftRun, knowsWhatIsLeftByItsSteps) {
    LeftRun run;
    EXPECT_EQ(run.secondsLeft(), 0);
    run.run.emplace();
    run.run->steps = 10;
    run.run->seconds = 5;
    EXPECT_EQ(run.secondsLeft(), 0) << "nobody knows how many there are";
    run.run->totalSteps = 30;
    EXPECT_EQ(run.secondsLeft(), 10);
}

QueuedRun waitingOn(const std::string& device, double seconds) {
    QueuedRun run;
    run.spec.engine.devices = {device};
    run.expectedSeconds = seconds;
    return run;
}

TEST(LineTime, isThatOfTheDevicesThatTakeTheLongest) {
    EXPECT_TRUE(timeOf({}, {}).isEmpty);
    std::vector<QueuedRun> waiting{waitingOn("cuda:0", 30), waitingOn("cuda:1", 50), waitingOn("cuda:0", 40)};
    EXPECT_EQ(timeOf(waiting, {}).seconds, 70);
    EXPECT_TRUE(timeOf(waiting, {}).isWhole);
    LeftRun now;
    now.entry.devices = {"cuda:1"};
    now.run.emplace().outcome = runs::RunOutcome::kRunning;
    now.run->steps = 1;
    now.run->totalSteps = 26;
    now.run->seconds = 1;
    LeftRun over = now;
    over.run->outcome = runs::RunOutcome::kFinished;
    EXPECT_EQ(timeOf(waiting, std::vector{over, now}).seconds, 75);
    waiting.push_back(waitingOn("cuda:2", 0));
    EXPECT_FALSE(timeOf(waiting, {}).isWhole) << "nobody knows of that one";
    waiting.back().problem = "of a later version";
    EXPECT_TRUE(timeOf(waiting, {}).isWhole) << "it does not begin";
}

} // namespace
} // namespace roundpipe::queue
