// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/workbench/local_workbench.h"

#include "byte_tokenizer.h"
#include "data/store/dataset.h"
#include "session/count_rows.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace roundpipe::data {
namespace {

using namespace std::chrono_literals;
using session::WorkbenchState;

class LocalWorkbench : public ::testing::Test {
protected:
    LocalWorkbench() {
        ::setenv("XDG_CACHE_HOME", (m_folder.path() / "cache").c_str(), 1); // where tokens go
        makeByteTokenizer(m_folder.path());
        std::ofstream(m_folder.path() / "chat_template.jinja") << kChatMl;
        m_spec.model.path = m_folder.path().string();
        m_spec.data.validationFraction = 0;
    }
    static std::string row(int i) {
        const std::string number = std::to_string(i);
        return R"({"messages":[{"role":"user","content":"q)" + number + R"("},{"role":"assistant","content":"a)" +
               number + "\"}]}\n";
    }
    void openRows(int count) {
        const auto path = m_folder.path() / ("rows" + std::to_string(count) + ".jsonl");
        std::ofstream file(path);
        for (int i = 1; i <= count; ++i)
            file << row(i);
        file.close();
        m_spec.data.datasets.front().files = {path.string()};
        m_workbench->open(m_spec);
    }
    template <class Condition>
    bool eventually(const Condition& condition) const {
        for (const auto end = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < end;
             std::this_thread::sleep_for(2ms))
            if (condition()) return true;
        return false;
    }
    bool reaches(WorkbenchState state) const {
        return eventually([&] { return m_workbench->status().state == state; });
    }
    session::WorkbenchResult nextResult() {
        std::vector<session::WorkbenchResult> results;
        EXPECT_TRUE(eventually([&] { return !(results = m_workbench->takeResults()).empty(); }));
        EXPECT_EQ(results.size(), 1u);
        return results.at(0);
    }

    testing::TemporaryFolder m_folder;
    session::RunSpec m_spec;
    std::unique_ptr<session::Workbench> m_workbench = makeLocalWorkbench();
};

TEST_F(LocalWorkbench, reportsOnADatasetInTheBackground) {
    EXPECT_EQ(m_workbench->status().state, WorkbenchState::kEmpty);
    openRows(3000);
    ASSERT_TRUE(reaches(WorkbenchState::kReady));
    const session::WorkbenchStatus status = m_workbench->status();
    EXPECT_EQ(status.numRows, 3000);
    EXPECT_DOUBLE_EQ(status.fraction, 1);
    ASSERT_TRUE(status.report);
    EXPECT_TRUE(status.report->isComplete);
    EXPECT_EQ(status.report->training.size(), 3000);
}

// A run that begins before anybody has looked at its rows has them all.
TEST_F(LocalWorkbench, countsTheRowsOfARunForWhoMayWait) {
    openRows(300);
    m_spec.data.validationFraction = 0.1;
    const session::RunLengths counted = session::countRows(*m_workbench, m_spec, {});
    EXPECT_EQ(counted.training->size() + counted.validation->size(), 300);
    EXPECT_EQ(counted.validation->size(), m_workbench->status().report->validation.size());
    std::stop_source stopped;
    stopped.request_stop();
    testing::expectError(ErrorKind::kCancelled, {},
                         [&] { session::countRows(*m_workbench, m_spec, stopped.get_token()); });
    m_spec.data.datasets.front().files = {"/nonexistent.jsonl"};
    testing::expectError(ErrorKind::kIo, {"/nonexistent.jsonl"}, [&] { session::countRows(*m_workbench, m_spec, {}); });
}

TEST_F(LocalWorkbench, leavesTheTokensToTheRunWhateverItsLengthLimit) {
    openRows(3000);
    ASSERT_TRUE(reaches(WorkbenchState::kReady));
    EXPECT_EQ(m_workbench->status().report->numEncoded, 3000);
    m_spec.data.maxLength = 20;
    openRows(3000);
    ASSERT_TRUE(reaches(WorkbenchState::kReady));
    const session::WorkbenchStatus status = m_workbench->status();
    EXPECT_EQ(status.report->numEncoded, 0);
    EXPECT_EQ(status.report->lengthLimit, 20);
    EXPECT_EQ(status.numRows, 3000);
    EXPECT_DOUBLE_EQ(status.fraction, 1);
    m_spec.data.maxLength = 50;
    const Dataset dataset = Dataset::load(dataOptionsOf(m_spec), text::Tokenizer::open(m_folder.path()),
                                          text::ChatTemplate::fromModelFolder(m_folder.path()));
    EXPECT_EQ(dataset.stats().numEncoded, 0);
    EXPECT_EQ(dataset.training().size(), 3000);
}

TEST_F(LocalWorkbench, answersRequestsInOrder) {
    openRows(50);
    const uint64_t first = m_workbench->requestRows({0, 49}, 10);
    const uint64_t second = m_workbench->requestLens({0, 7});
    const uint64_t third = m_workbench->requestLens({0, 51});
    const uint64_t fourth = m_workbench->requestLens({1, 1});
    std::vector<session::WorkbenchResult> results;
    ASSERT_TRUE(eventually([&] {
        for (auto& result : m_workbench->takeResults())
            results.push_back(std::move(result));
        return results.size() == 4;
    }));
    EXPECT_EQ(results[0].request, first);
    const auto& rows = std::get<session::RowsResult>(results[0].value).rows;
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].place.number, 49);
    EXPECT_EQ(rows[0].text + "\n", row(49));
    EXPECT_EQ(results[1].request, second);
    EXPECT_NE(std::get<session::TokenLens>(results[1].value).text.find("a7<|im_end|>"), std::string::npos);
    EXPECT_EQ(results[2].request, third);
    EXPECT_NE(std::get<session::LookupFailed>(results[2].value).problem.find("no line 51"), std::string::npos);
    EXPECT_EQ(results[3].request, fourth);
    EXPECT_NE(std::get<session::LookupFailed>(results[3].value).problem.find("no file 1"), std::string::npos);
}

TEST_F(LocalWorkbench, saysHowManyRowsAFileHas) {
    openRows(2000);
    session::RowsResult rows;
    ASSERT_TRUE(eventually([&] {
        m_workbench->requestRows({0, 1}, 1);
        rows = std::get<session::RowsResult>(nextResult().value);
        return rows.isCounted;
    }));
    EXPECT_EQ(rows.lastNumber, 2000);
}

TEST_F(LocalWorkbench, showsRowsWhileItReadsAndStopsWhenTold) {
    openRows(200000);
    ASSERT_TRUE(eventually([&] { return m_workbench->status().report != nullptr; }));
    m_workbench->requestLens({0, 1});
    EXPECT_TRUE(std::holds_alternative<session::TokenLens>(nextResult().value));
    EXPECT_EQ(m_workbench->status().state, WorkbenchState::kReading);
    EXPECT_FALSE(m_workbench->status().report->isComplete);
    m_workbench->cancel();
    ASSERT_TRUE(reaches(WorkbenchState::kCancelled));
    EXPECT_LT(m_workbench->status().numRows, 200000);
    m_workbench->requestLens({0, 2});
    EXPECT_TRUE(std::holds_alternative<session::TokenLens>(nextResult().value));
}

TEST_F(LocalWorkbench, opensAnotherDatasetAtOnce) {
    openRows(200000);
    ASSERT_TRUE(eventually([&] { return m_workbench->status().numRows > 0; }));
    const auto before = std::chrono::steady_clock::now();
    openRows(20);
    m_workbench->status();
    EXPECT_LT(std::chrono::steady_clock::now() - before, 200ms);
    ASSERT_TRUE(reaches(WorkbenchState::kReady));
    EXPECT_EQ(m_workbench->status().report->numRows, 20);
}

TEST_F(LocalWorkbench, tellsWhatIsWrong) {
    m_spec.model.path = (m_folder.path() / "nowhere").string();
    openRows(2);
    ASSERT_TRUE(reaches(WorkbenchState::kFailed));
    EXPECT_NE(m_workbench->status().problem.find("nowhere"), std::string::npos);
    m_workbench->requestLens({0, 1});
    EXPECT_NE(std::get<session::LookupFailed>(nextResult().value).problem.find("nowhere"), std::string::npos);

    m_spec.model.path = m_folder.path().string();
    m_spec.data.datasets.front().files = {(m_folder.path() / "missing.jsonl").string()};
    m_workbench->open(m_spec);
    ASSERT_TRUE(reaches(WorkbenchState::kFailed));
    EXPECT_NE(m_workbench->status().problem.find("missing.jsonl"), std::string::npos);
}

TEST_F(LocalWorkbench, showsRowsAndFilesWithoutAModel) {
    m_spec.model.path.clear();
    openRows(30);
    ASSERT_TRUE(reaches(WorkbenchState::kFailed));
    m_workbench->requestRows({0, 30}, 5);
    const auto rows = std::get<session::RowsResult>(nextResult().value).rows;
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].preview, "q30");
    m_workbench->requestFiles();
    const auto files = std::get<session::FilesResult>(nextResult().value).files;
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].kind, "JSONL");
    EXPECT_EQ(files[0].unit, "line");
    EXPECT_EQ(files[0].format, DataFormat::kMessages);
    EXPECT_EQ(files[0].reason.text(), "it has 'messages'");
    m_workbench->requestVerdicts({0, 1}, 1);
    EXPECT_TRUE(std::holds_alternative<session::LookupFailed>(nextResult().value));
}

TEST_F(LocalWorkbench, saysWhatTrainingMakesOfRows) {
    const auto path = m_folder.path() / "mixed.jsonl";
    const std::string tooLong = R"({"messages":[{"role":"user","content":")" + std::string(500, 'x') +
                                R"("},{"role":"assistant","content":"y"}]})";
    std::ofstream(path) << row(1) << "{\n" << tooLong << "\n";
    m_spec.data.datasets.front().files = {path.string()};
    m_spec.data.maxLength = 100;
    m_spec.data.overLength = OverLength::kDrop;
    m_workbench->open(m_spec);
    m_workbench->requestVerdicts({0, 1}, 10);
    const auto verdicts = std::get<session::VerdictsResult>(nextResult().value).rows;
    ASSERT_EQ(verdicts.size(), 3u);
    EXPECT_EQ(verdicts[0].dropReason, std::nullopt);
    EXPECT_EQ(verdicts[0].numMessages, 2);
    EXPECT_EQ(verdicts[1].dropReason, session::DropReason::kBadRow);
    EXPECT_EQ(verdicts[1].numTokens, 0);
    EXPECT_EQ(verdicts[2].dropReason, session::DropReason::kTooLong);
    EXPECT_GT(verdicts[2].numTokens, 500);
    m_workbench->requestLens({0, 1});
    const auto lens = std::get<session::TokenLens>(nextResult().value);
    EXPECT_EQ(verdicts[0].numTokens, std::ssize(lens.tokens));
    EXPECT_EQ(verdicts[0].numTrained, lens.numTrained);
}

TEST_F(LocalWorkbench, describesTheFilesOfAFolder) {
    const auto folder = m_folder.path() / "rows";
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "a.csv") << "question,answer\nWhy?,So.\n";
    std::ofstream(folder / "b.jsonl") << R"({"weight": 1, "height": [2]})"
                                      << "\n";
    std::ofstream(folder / ".hidden.jsonl") << row(1);
    m_spec.data.datasets.front().files = {folder.string()};
    m_spec.data.validationFile = (folder / "none.jsonl").string();
    m_workbench->open(m_spec);
    m_workbench->requestFiles();
    const auto found = std::get<session::FilesResult>(nextResult().value);
    ASSERT_EQ(found.files.size(), 3u);
    EXPECT_EQ(found.files[0].format, DataFormat::kAlpaca);
    EXPECT_EQ(found.files[0].bytes, 25);
    ASSERT_EQ(found.files[0].columns.size(), 2u);
    EXPECT_EQ(found.files[0].columns[1].name, "answer");
    EXPECT_EQ(found.files[0].columns[1].example, "\"So.\"");
    ASSERT_EQ(found.files[0].readFrom.size(), 2u);
    EXPECT_EQ(found.files[0].readFrom[0].field + "=" + found.files[0].readFrom[0].column, "instruction=question");
    EXPECT_EQ(found.files[1].format, DataFormat::kAuto);
    EXPECT_NE(found.files[1].wanted.find("weight, height"), std::string::npos);
    EXPECT_TRUE(found.files[2].isValidation);
    EXPECT_NE(found.files[2].problem.find("none.jsonl"), std::string::npos);
    ASSERT_EQ(found.leftOut.size(), 1u);
    EXPECT_EQ(found.leftOut[0].reason.text(), "is hidden");
}

TEST_F(LocalWorkbench, refusesARequestWhereNothingIsOpen) {
    testing::expectError(ErrorKind::kInvalidInput, {"No dataset is open"}, [&] { m_workbench->requestLens({0, 1}); });
}

} // namespace
} // namespace roundpipe::data
