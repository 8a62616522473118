// SPDX-License-Identifier: GPL-3.0-or-later
// Conversations as files: where they lie, what they are called, renamed and deleted.
#include "runs/conversation_files.h"
#include "runs/run_files.h"
#include "session/conversation.h"
#include "some_run.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
using testing::expectError;

std::string conversation(const std::string& asked) {
    session::ChatConversation said;
    said.model = "m";
    said.messages = {{"user", asked}};
    return session::conversationJson(said);
}

fs::path keep(const fs::path& folder, const std::string& asked) {
    const fs::path file = newConversationFile(folder, asked);
    keepConversation(file, conversation(asked));
    return file;
}

TEST(ConversationFiles, lieInTheFolderOfTheRunThatAnswers) {
    const testing::TemporaryFolder folder;
    const fs::path run = makeRun(fs::canonical(folder.path()) / "polly");
    EXPECT_EQ(conversationsFolderOf(run / "adapter"), run / "conversations");
    EXPECT_EQ(conversationsFolderOf(run / "checkpoints" / "last"), run / "conversations");
    EXPECT_EQ(conversationsFolderOf(run / "model"), run / "conversations");
    ::setenv("XDG_DATA_HOME", (folder.path() / "data").c_str(), 1);
    const fs::path ofUser = folder.path() / "data" / "roundpipe" / "conversations";
    EXPECT_EQ(conversationsFolderOf(folder.path() / "downloaded"), ofUser);
    EXPECT_EQ(conversationsFolderOf({}), ofUser);
}

TEST(ConversationFiles, areNamedAfterWhatWasAskedFirst) {
    const testing::TemporaryFolder folder;
    const auto nameOf = [&](const std::string& asked) { return newConversationFile(folder.path(), asked).stem(); };
    EXPECT_EQ(nameOf("Who are you?"), "Who are you");
    EXPECT_EQ(nameOf("a/b: c\nmore"), "a-b- c");
    EXPECT_EQ(nameOf("?!"), "Conversation");
    EXPECT_EQ(nameOf("I have tomatoes and eggs and an onion, too. Find me a recipe."),
              "I have tomatoes and eggs and an onion, too");
    const std::string chinese = "请用一个很长很长的句子来介绍一下你自己好吗谢谢你";
    const std::string name = nameOf(chinese).string();
    EXPECT_EQ(chinese.substr(0, name.size()), name);
    EXPECT_EQ(name.size() % 3, 0U) << "no half characters";
    EXPECT_EQ(keep(folder.path(), "Who are you?").filename(), "Who are you.json");
    EXPECT_EQ(keep(folder.path(), "Who are you?").filename(), "Who are you 2.json");
}

TEST(ConversationFiles, areListedTheLatestFirstWithoutOtherFiles) {
    const testing::TemporaryFolder folder;
    EXPECT_TRUE(listConversations(folder.path() / "none").empty());
    const fs::path old = keep(folder.path(), "old"), fresh = keep(folder.path(), "fresh");
    fs::last_write_time(old, fs::last_write_time(fresh) - std::chrono::hours(1));
    writeFileAtomically(folder.path() / "run.json", "{}");
    writeFileAtomically(folder.path() / "note.txt", conversation("no"));
    const std::vector<KeptConversation> kept = listConversations(folder.path());
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0].name, "fresh");
    EXPECT_EQ(kept[1].name, "old");
    EXPECT_EQ(kept[1].file, old);
    EXPECT_EQ(kept[0].changedAt - kept[1].changedAt, 3600);
}

TEST(ConversationFiles, areRenamedAndDeleted) {
    const testing::TemporaryFolder folder;
    const fs::path file = keep(folder.path(), "one");
    keep(folder.path(), "two");
    expectError(ErrorKind::kInvalidInput, {"needs a name"}, [&] { renameConversation(file, " "); });
    expectError(ErrorKind::kInvalidInput, {"'two' already"}, [&] { renameConversation(file, "two"); });
    EXPECT_EQ(renameConversation(file, "one"), file);
    const fs::path renamed = renameConversation(file, "a/b");
    EXPECT_EQ(renamed.filename(), "a-b.json");
    EXPECT_FALSE(fs::exists(file));
    expectError(ErrorKind::kIo, {"rename"}, [&] { renameConversation(file, "gone"); });
    removeConversation(renamed);
    EXPECT_EQ(listConversations(folder.path()).size(), 1U);
}

} // namespace
} // namespace roundpipe::runs
