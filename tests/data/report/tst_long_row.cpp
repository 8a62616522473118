// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of tens of megabytes: shown in part, and in memory not many times over.
#include "byte_tokenizer.h"
#include "data/report/inspect.h"
#include "data/report/row_browser.h"
#include "data/report/survey.h"
#include "testing/fixtures.h"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roundpipe::data {
namespace {

constexpr std::size_t kRowBytes = std::size_t{36} << 20;
constexpr int64_t kMostMiB = 400;
constexpr int64_t kMostWithTokensMiB = 600; // the tokenizer among them

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsMeasured = false; // it takes memory of its own
#else
constexpr bool kIsMeasured = true;
#endif

class LongRow : public ::testing::Test {
protected:
    void write(const std::string& json) const { std::ofstream(m_file, std::ios::binary) << json << "\n"; }
    // The most that the work has in memory, measured in a process of its own; -1: it was not as expected.
    static int64_t peakMiB(const std::function<bool()>& isAsExpected) {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(isAsExpected() ? 0 : 1);
        int status = 0;
        rusage usage{};
        if (child < 0 || ::wait4(child, &status, 0, &usage) != child || status != 0) return -1;
        return usage.ru_maxrss / 1024;
    }
    int64_t peakOfInspectingMiB() const {
        return peakMiB([&] { return inspectFile(m_file, {}).numRows == 1; });
    }
    // With the tokenizer of a real model, which a process of its own opens.
    void expectStatisticsAndLensInMemory(int64_t numMessages, const char* tokenizerName = "qwen3") const {
        if (!kIsMeasured) return;
        DataOptions options;
        options.files = {m_file};
        options.maxLength = 1024;
        options.numThreads = 2;
        const auto folder = testing::fixtures() / "tokenizers" / tokenizerName;
        const int64_t forStatistics = peakMiB([&] {
            const auto progress = [](const LoadProgress&, const auto&) { return true; };
            const auto report =
                surveyOf(options, text::Tokenizer::open(folder), text::ChatTemplate::fromSource(kChatMl), progress);
            return report.numUsed == 1 && report.training.longest() == 1024;
        });
        const int64_t forLens = peakMiB([&] {
            const auto tokenizer = text::Tokenizer::open(folder);
            const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
            const session::TokenLens lens = RowBrowser(options, tokenizer, chatTemplate).lens({0, 1});
            return std::ssize(lens.tokens) == session::kMostLensTokens &&
                   lens.numTokens > 4 * session::kMostLensTokens && lens.tokens.back().end == std::ssize(lens.text) &&
                   lens.numKept == 1024 && std::ssize(lens.messages) == numMessages;
        });
        for (const int64_t peak : {forStatistics, forLens}) {
            EXPECT_GT(peak, 100);
            EXPECT_LT(peak, kMostWithTokensMiB);
        }
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
        const int64_t peak = peakOfInspectingMiB();
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
        const int64_t peak = peakOfInspectingMiB();
        EXPECT_GT(peak, 36);
        EXPECT_LT(peak, kMostMiB);
    }
}

// Eight million tokens: what is kept of each is counted in bytes.
TEST_F(LongRow, hasItsTokensInMemoryOnce) {
    RP_REQUIRE_FIXTURES();
    const auto words = [] { // as no variable: the processes that are measured would have it, too
        std::string text;
        while (text.size() < kRowBytes)
            text += "The lamp by the window is small, and the river runs on. ";
        return text;
    };
    write(R"({"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":")" + words() + "\"}]}");
    expectStatisticsAndLensInMemory(2);
    write(R"({"text":")" + words() + "\"}");
    expectStatisticsAndLensInMemory(0);
}

// Llama 2's cuts no words; Qwen3's wants NFC, and takes letters in a row for one word.
TEST_F(LongRow, isInMemoryOnceWhateverTheTokenizerHasToCut) {
    RP_REQUIRE_FIXTURES();
    const auto expect = [&](std::string_view part, std::initializer_list<const char*> tokenizers) {
        std::ofstream file(m_file, std::ios::binary);
        file << R"({"text":")";
        for (std::size_t size = 0; size < kRowBytes; size += part.size())
            file << part;
        file << "\"}\n";
        file.close();
        for (const char* const tokenizer : tokenizers) {
            SCOPED_TRACE(std::string(tokenizer) + ": " + std::string(part));
            expectStatisticsAndLensInMemory(0, tokenizer);
        }
    };
    expect("The lamp by the window is small, and the river runs on. ", {"llama2"});
    expect("Cafe\u0301 au lait, tie\u0302\u0301ng Vie\u0323\u0302t. ", {"qwen3"});
    expect("ACGTTGACCATGGATTACA", {"qwen3"});
}

// Nothing starts anew among them, and to put them in order all have to be there.
TEST_F(LongRow, ofMarksUponOneCharacterIsRefusedInWords) {
    RP_REQUIRE_FIXTURES();
    std::string marks;
    while (marks.size() < std::size_t{4} << 20)
        marks += "\u0323\u0301\u0323";
    write(R"({"text":"a)" + marks + "\"}");
    DataOptions options;
    options.files = {m_file};
    const auto tokenizer = text::Tokenizer::open(testing::fixtures() / "tokenizers/qwen3");
    const auto chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    const session::TokenLens lens = RowBrowser(options, tokenizer, chatTemplate).lens({0, 1});
    EXPECT_EQ(lens.dropReason, DropReason::kTooLong);
    EXPECT_NE(lens.dropped.text().find("split it into several rows"), std::string::npos);
}

TEST_F(LongRow, ofManyMessagesHasItsTokensInMemoryOnce) {
    RP_REQUIRE_FIXTURES();
    constexpr int64_t kPairs = 50000;
    std::string json = R"({"messages":[)", answer;
    for (int i = 0; i < 11; ++i)
        answer += "The lamp by the window is small, and the river runs on. ";
    for (int64_t i = 0; i < kPairs; ++i)
        json += R"({"role":"user","content":"What is this about?"},{"role":"assistant","content":")" + answer + "\"},";
    json.back() = ']';
    write(json + "}");
    json = std::string();
    expectStatisticsAndLensInMemory(2 * kPairs);
}

TEST_F(LongRow, ofUsualLengthStaysAsItIs) {
    const std::string row =
        R"({"text":"ä\n\"","n":[1,2.5,null,true,{"a":[]}],"long":")" + std::string(20000, 'z') + "\"}";
    write(row);
    EXPECT_EQ(inspectFile(m_file, {}).firstRows.at(0), row);
}

} // namespace
} // namespace roundpipe::data
