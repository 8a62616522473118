// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/append_row.h"

#include "base/error.h"
#include "base/file.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <vector>

namespace roundpipe::data {
namespace {

namespace fs = std::filesystem;
using Messages = std::vector<session::ChatMessage>;

const Messages kExchange = {{"system", "Be kind."}, {"user", "Grüße \"dich\"\n"}, {"assistant", "Hallo ☕"}};
constexpr const char* kRow =
    "{\"messages\":[{\"role\":\"system\",\"content\":\"Be kind.\"},{\"role\":\"user\",\"content\":"
    "\"Grüße \\\"dich\\\"\\n\"},{\"role\":\"assistant\",\"content\":\"Hallo ☕\"}]}\n";

TEST(AppendRow, makesTheFileAndAddsLines) {
    const testing::TemporaryFolder folder;
    const fs::path file = folder.path() / "rows.jsonl";
    appendMessagesRow(file, kExchange);
    appendMessagesRow(file, kExchange);
    EXPECT_EQ(readTextFile(file), kRow + std::string(kRow));
}

TEST(AppendRow, beginsALineOfItsOwn) {
    const testing::TemporaryFolder folder;
    const fs::path file = folder.path() / "rows.jsonl";
    const std::string before = R"({"messages": [], "id": 1})"; // without a line feed
    writeFileAtomically(file, before);
    appendMessagesRow(file, kExchange);
    EXPECT_EQ(readTextFile(file), before + "\n" + kRow);
}

TEST(AppendRow, leavesFilesOfOtherRowsAlone) {
    const testing::TemporaryFolder folder;
    const fs::path file = folder.path() / "rows.jsonl";
    const std::string others = "{\"instruction\": \"a\", \"output\": \"b\"}\n";
    writeFileAtomically(file, others);
    testing::expectError(ErrorKind::kInvalidInput, {"rows.jsonl", "messages"},
                         [&] { appendMessagesRow(file, kExchange); });
    EXPECT_EQ(readTextFile(file), others);
    testing::expectError(ErrorKind::kInvalidInput, {"rows.csv", ".jsonl"},
                         [&] { appendMessagesRow(folder.path() / "rows.csv", kExchange); });
    EXPECT_FALSE(fs::exists(folder.path() / "rows.csv"));
    testing::expectError(ErrorKind::kIo, {"rows.jsonl"},
                         [&] { appendMessagesRow(folder.path() / "no/rows.jsonl", kExchange); });
}

TEST(AppendRow, keepsRowsWholeThatComeAtOnce) {
    const testing::TemporaryFolder folder;
    const fs::path file = folder.path() / "rows.jsonl";
    constexpr int kEach = 20;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kEach; ++i)
                appendMessagesRow(file, kExchange);
        });
    for (std::thread& thread : threads)
        thread.join();
    std::string expected;
    for (int i = 0; i < 4 * kEach; ++i)
        expected += kRow;
    EXPECT_EQ(readTextFile(file), expected);
}

} // namespace
} // namespace roundpipe::data
