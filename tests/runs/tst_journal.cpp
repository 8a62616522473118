// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/journal.h"
#include "runs/run_standing.h"

#include "base/file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace roundpipe::runs {
namespace {

class JournalTest : public ::testing::Test {
protected:
    void append(const std::string& bytes) const { std::ofstream(file, std::ios::app) << bytes; }
    std::vector<std::string> texts() const {
        std::vector<std::string> all;
        for (const JournalEntry& entry : readJournal(file))
            all.push_back(entry.text);
        return all;
    }

    testing::TemporaryFolder home;
    std::filesystem::path file = home.path() / "journal.jsonl";
};

TEST_F(JournalTest, keepsWhatItWasToldInOrder) {
    EXPECT_TRUE(readJournal(file).empty());
    {
        Journal journal(file);
        journal.add(JournalEvent::kBegun, 3, "checkpoints/last", "a \"program\"");
    }
    Journal(file).add(JournalEvent::kEnded, 9, "finished", "");
    const std::vector<JournalEntry> entries = readJournal(file);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].event, JournalEvent::kBegun);
    EXPECT_EQ(entries[0].step, 3);
    EXPECT_EQ(entries[0].what, "checkpoints/last");
    EXPECT_EQ(entries[0].text, "a \"program\"");
    EXPECT_GT(entries[0].time, 1'600'000'000);
    EXPECT_GE(entries[0].elapsed, 0);
    EXPECT_EQ(entries[1].event, JournalEvent::kEnded);
}

// A process that is killed may leave half a line, at any byte.
TEST_F(JournalTest, aTornLineSpoilsNoOther) {
    Journal(file).add(JournalEvent::kCheckpoint, 1, "checkpoints/last", "first");
    const std::string line = readTextFile(file);
    for (std::size_t size = 1; size < line.size(); ++size) {
        std::filesystem::remove(file);
        append(line + line.substr(0, size));
        EXPECT_EQ(texts(), std::vector<std::string>{"first"}) << "torn after " << size << " bytes";
        Journal(file).add(JournalEvent::kEnded, 2, "finished", "second");
        const std::vector<std::string> expected = size + 1 == line.size()
                                                      ? std::vector<std::string>{"first", "first", "second"}
                                                      : std::vector<std::string>{"first", "second"};
        EXPECT_EQ(texts(), expected) << "torn after " << size << " bytes";
    }
}

// As on a disk that is full for a while.
TEST_F(JournalTest, whatCouldNotBeWrittenFollowsInOrderAndIsSaidOnce) {
    Journal journal(file);
    std::filesystem::create_directory(file);
    ::testing::internal::CaptureStderr();
    journal.add(JournalEvent::kBegun, 0, "", "first");
    journal.add(JournalEvent::kSkipped, 1, "", "second");
    std::filesystem::remove(file);
    journal.add(JournalEvent::kCheckpoint, 2, "", "third");
    journal.add(JournalEvent::kEnded, 3, "finished", "fourth");
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(texts(), (std::vector<std::string>{"first", "second", "third", "fourth"}));
    EXPECT_NE(said.find("Cannot write"), std::string::npos) << said;
    EXPECT_EQ(said.find("Cannot write"), said.rfind("Cannot write")) << said;
}

// Which older versions wrote.
TEST_F(JournalTest, isReadWithoutSecrets) {
    append(R"({"time": 1, "elapsed": 0, "event": "ended", "step": 1, "what": "", "text": "password=hunter2"})"
           "\n");
    EXPECT_EQ(texts(), std::vector<std::string>{"password=(hidden)"});
}

TEST_F(JournalTest, whatIsNoEntryIsLeftOut) {
    append("nonsense\n[]\n{\"event\": \"begun\"}\n");
    append(R"({"time": 1, "elapsed": 0, "event": "danced", "step": 1, "what": "", "text": "of a newer program"})"
           "\n");
    Journal(file).add(JournalEvent::kBegun, 0, "", "ours");
    EXPECT_EQ(texts(), std::vector<std::string>{"ours"});
}

TEST_F(JournalTest, theLookOfAFolderIsItsFiles) {
    const std::filesystem::path folder = home.path() / "adapter";
    EXPECT_EQ(lookOf(folder), "");
    std::filesystem::create_directories(folder);
    writeFileAtomically(folder / "a", "content");
    const std::string look = lookOf(folder);
    EXPECT_EQ(lookOf(folder), look);
    writeFileAtomically(folder / "a", "Content");
    EXPECT_NE(lookOf(folder), look);
    writeFileAtomically(folder / "a", "content");
    std::filesystem::rename(folder / "a", folder / "b");
    EXPECT_NE(lookOf(folder), look);
}

TEST(Standing, isWhatTheNewestProcessWroteDown) {
    using Event = JournalEvent;
    using session::RunState;
    std::vector<JournalEntry> journal;
    const auto add = [&](int64_t time, Event event, const std::string& what = {}, const std::string& text = {}) {
        journal.push_back({time, 0, event, 0, what, text});
        return standingBy(journal);
    };
    EXPECT_FALSE(standingBy(journal));
    EXPECT_FALSE(add(50, Event::kEnded, "stopped")) << "of a process whose beginning nobody wrote down";
    EXPECT_FALSE(add(100, Event::kBegun)->end);
    EXPECT_EQ(add(150, Event::kCheckpoint, "checkpoints/last")->heardAt, 150);
    auto standing = add(200, Event::kEnded, "failed", "The disk is full.");
    EXPECT_EQ(standing->end, RunState::kFailed);
    EXPECT_EQ(standing->problem, "The disk is full.");
    EXPECT_EQ(standing->endedAt, 200);
    standing = add(300, Event::kBegun); // goes on
    EXPECT_FALSE(standing->end);
    EXPECT_EQ(standing->problem, "");
    EXPECT_EQ(standing->begunAt, 100);
    standing = add(250, Event::kEnded, "finished"); // by a clock that was set back
    EXPECT_EQ(standing->end, RunState::kFinished);
    EXPECT_FALSE(add(400, Event::kBegun)->end);
    standing = add(401, Event::kRefused, {}, "'seed' was 42 and is 43.");
    EXPECT_EQ(standing->end, RunState::kFinished) << "it stands as it did";
    EXPECT_EQ(standing->problem, "");
}

} // namespace
} // namespace roundpipe::runs
