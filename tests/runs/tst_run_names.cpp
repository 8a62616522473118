// SPDX-License-Identifier: GPL-3.0-or-later
// Whose a run's folder is, by the files that say so.
#include "base/file.h"
#include "runs/journal.h"
#include "runs/run_lock.h"
#include "runs/run_names.h"
#include "runs/run_status.h"
#include "testing/file_calls.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class Named : public ::testing::Test {
protected:
    ~Named() override { roundpipe::testing::g_onLinkRead = {}; }

    void writeLock(const Names& names) const { RunLock(files.folder).writeRuns(names); }

    roundpipe::testing::TemporaryFolder home;
    RunFiles files{fs::canonical(home.path()) / "run"};
    bool isMade = fs::create_directory(files.folder);
};

TEST_F(Named, theFirstThatSaysSoCounts) {
    EXPECT_TRUE(namesOfRun(files).names.empty()) << "nobody can tell";
    Journal journal(files.journal());
    journal.add(JournalEvent::kBegun, 0, "", "an older version's");
    EXPECT_TRUE(namesOfRun(files).names.empty());
    journal.add(JournalEvent::kBegun, 0, "", "", "a");
    journal.add(JournalEvent::kBegun, 3, "", "", "b");
    EXPECT_EQ(namesOfRun(files).names, (Names{"a", "b"}));
    EXPECT_EQ(namesOfRun(files).by, files.journal());
    RunStatus status;
    writeStatus(status, files.folder);
    EXPECT_EQ(namesOfRun(files).by, files.journal()) << "an older version's";
    status.run = "c";
    writeStatus(status, files.folder);
    EXPECT_EQ(namesOfRun(files).names, Names{"c"});
    writeLock({"d", "e"});
    EXPECT_EQ(namesOfRun(files).names, (Names{"d", "e"}));
    EXPECT_EQ(namesOfRun(files).by, files.lock());
    writeLock({"f"});
    EXPECT_EQ(namesOfRun(files).names, Names{"f"}) << "another one has begun";
}

TEST_F(Named, twoThatAgreeCountMoreThanOne) {
    Journal(files.journal()).add(JournalEvent::kBegun, 0, "", "", "a");
    RunStatus status;
    status.run = "a";
    writeStatus(status, files.folder);
    writeLock({"b"});
    EXPECT_EQ(namesOfRun(files).names, Names{"a"}) << "the lock is another run's";
    writeLock({"a", "b"});
    EXPECT_EQ(namesOfRun(files).names, (Names{"a", "b"})) << "another's checkpoint was accepted";
}

TEST_F(Named, whatSomebodyElseWroteIntoTheLockStaysAndSaysNothing) {
    for (const char* const text :
         {"4711\n", "{}", "[\"a\"]", R"({"runs": "a"})", R"({"runs": [1]})", "{\"runs\": [\"a\""}) {
        writeFileAtomically(files.lock(), text);
        EXPECT_TRUE(RunLock::runsOf(files.folder).empty()) << text;
        writeLock({"b"});
        EXPECT_EQ(readTextFile(files.lock()), text);
    }
    writeFileAtomically(files.lock(), std::string(1 << 17, ' '));
    EXPECT_TRUE(RunLock::runsOf(files.folder).empty()) << "too large to be read";
}

// Half of it would be no names at all, and keep all later ones from being written.
TEST_F(Named, aDiskThatTakesNoMoreLeavesNoNames) {
    RunLock lock(files.folder);
    lock.writeRuns({"a"});
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit tight{6, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    lock.writeRuns({"b"});
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(fs::file_size(files.lock()), 0U);
    lock.writeRuns({"c"});
    EXPECT_EQ(RunLock::runsOf(files.folder), Names{"c"});
}

TEST_F(Named, aJournalInPlaceOfTheRunsIsToldThatItHasBegun) {
    Journal journal(files.journal());
    journal.add(JournalEvent::kBegun, 0, "", "", "a");
    const fs::path other = home.path() / "other";
    Journal(other).add(JournalEvent::kBegun, 0, "", "", "b");
    const auto events = [&] {
        std::string all;
        for (const JournalEntry& entry : readJournal(files.journal()))
            all += spellingOf(entry.event) + (" " + entry.run) + " " + std::to_string(entry.step) + "\n";
        return all;
    };
    journal.add(JournalEvent::kCheckpoint, 3, "", "");
    EXPECT_EQ(events(), "begun a 0\ncheckpoint  3\n");
    const std::string own = readTextFile(files.journal());
    fs::rename(other, files.journal());
    journal.add(JournalEvent::kCheckpoint, 4, "", "");
    EXPECT_EQ(events(), "begun b 0\nbegun a 0\ncheckpoint  4\n");
    writeFileAtomically(files.journal(), "half a li");
    journal.add(JournalEvent::kCheckpoint, 5, "", "");
    EXPECT_EQ(events(), "begun a 0\ncheckpoint  5\n");
    fs::remove(files.journal());
    journal.add(JournalEvent::kCheckpoint, 6, "", "");
    EXPECT_EQ(events(), "begun a 0\ncheckpoint  6\n");
    writeFileAtomically(files.journal(), own);
    journal.add(JournalEvent::kCheckpoint, 7, "", "");
    EXPECT_EQ(events(), "begun a 0\ncheckpoint  3\ncheckpoint  7\n") << "an older copy of its own";
}

TEST_F(Named, aFolderIsFoundWhileItIsMovedOn) {
    const RunLock lock(files.folder);
    const fs::path next = home.path() / "next", last = fs::canonical(home.path()) / "last";
    fs::rename(files.folder, next);
    roundpipe::testing::g_onLinkRead = [&](const std::string&) {
        if (fs::exists(next)) fs::rename(next, last);
    };
    EXPECT_EQ(lock.place(), last);
    roundpipe::testing::g_onLinkRead = {};
    EXPECT_TRUE(fs::equivalent(lock.held(), last));
    fs::remove(RunFiles{last}.lock());
    EXPECT_EQ(lock.place(), "") << "somebody has emptied it";
    fs::remove_all(last);
    EXPECT_EQ(lock.place(), "");
}

} // namespace
} // namespace roundpipe::runs
