// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of tens of megabytes: shown in part, and in memory not many times over.
#include "data/report/inspect.h"
#include "testing/fixtures.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kRowBytes = std::size_t{36} << 20;
constexpr int64_t kMostMiB = 400;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsMeasured = false; // it takes memory of its own
#else
constexpr bool kIsMeasured = true;
#endif

class LongRow : public ::testing::Test {
protected:
    void write(const std::string& json) const { std::ofstream(m_file, std::ios::binary) << json << "\n"; }
    // The most that inspecting the file has in memory, measured in a process of its own; -1: it failed.
    int64_t peakMiB() const {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(inspectFile(m_file, {}).numRows == 1 ? 0 : 1);
        int status = 0;
        rusage usage{};
        if (child < 0 || ::wait4(child, &status, 0, &usage) != child || status != 0) return -1;
        return usage.ru_maxrss / 1024;
    }

    testing::TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder.path() / "rows.jsonl";
};

TEST_F(LongRow, ofOneTextIsShownInPart) {
    write(R"({"messages":[{"role":"user","content":"Say it."},{"role":"assistant","content":")" +
          std::string(kRowBytes, 'x') + "\"}]}");
    const FileReport report = inspectFile(m_file, {});
    EXPECT_EQ(report.numRows, 1);
    EXPECT_EQ(report.numBad, 0);
    ASSERT_EQ(report.firstRows.size(), 1u);
    EXPECT_LT(report.firstRows[0].size(), std::size_t{66} << 10);
    EXPECT_TRUE(report.firstRows[0].starts_with(R"({"messages":[{"role":"user","content":"Say it."},{"role":)"));
    EXPECT_TRUE(report.firstRows[0].ends_with("…\"}]}")) << report.firstRows[0].substr(report.firstRows[0].size() - 40);
    ASSERT_EQ(report.columns.size(), 1u);
    EXPECT_LT(report.columns[0].example.size(), 100u);
    if (kIsMeasured) {
        const int64_t peak = peakMiB();
        EXPECT_GT(peak, 36);
        EXPECT_LT(peak, kMostMiB);
    }
}

// What stands in memory for a short message is several times its text.
TEST_F(LongRow, ofManyMessagesIsNotInMemoryManyTimesOver) {
    const std::string turn = R"({"role":"user","content":"What is this about?"},)"
                             R"({"role":"assistant","content":")" +
                             std::string(400, 'y') + "\"},";
    std::string json = R"({"messages":[)";
    while (json.size() < kRowBytes)
        json += turn;
    json.back() = ']';
    write(json + "}");
    const FileReport report = inspectFile(m_file, {});
    EXPECT_EQ(report.numBad, 0);
    EXPECT_LT(report.firstRows.at(0).size(), std::size_t{66} << 10);
    EXPECT_TRUE(report.firstRows[0].ends_with("\"…\"]}"))
        << report.firstRows[0].substr(report.firstRows[0].size() - 40);
    if (kIsMeasured) {
        const int64_t peak = peakMiB();
        EXPECT_GT(peak, 36);
        EXPECT_LT(peak, kMostMiB);
    }
}

TEST_F(LongRow, ofUsualLengthStaysAsItIs) {
    const std::string row =
        R"({"text":"ä\n\"","n":[1,2.5,null,true,{"a":[]}],"long":")" + std::string(20000, 'z') + "\"}";
    write(row);
    EXPECT_EQ(inspectFile(m_file, {}).firstRows.at(0), row);
}

} // namespace
} // namespace roundpipe::data
