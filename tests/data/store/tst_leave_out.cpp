// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that are left out by choice, in the dataset and in its report alike.
#include "byte_tokenizer.h"
#include "data/report/row_browser.h"
#include "data/report/survey.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace roundpipe::data {
namespace {

std::string row(const std::string& question, const std::string& answer) {
    return R"({"messages":[{"role":"user","content":")" + question + R"("},{"role":"assistant","content":")" + answer +
           "\"}]}\n";
}

const std::string kStory = "Write a short story about a lighthouse keeper who finds a message in a bottle";

class RowsLeftOut : public ::testing::Test {
protected:
    RowsLeftOut() {
        m_options.maxLength = 400;
        m_options.validationFraction = 0;
    }
    std::filesystem::path write(const std::string& name, const std::string& content) {
        const auto path = m_folder.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    void use(const std::string& rows) { m_options.files = {write("rows.jsonl", rows)}; }

    // The same of both, whatever is left out.
    void load() {
        const text::ChatTemplate chatTemplate = text::ChatTemplate::fromSource(kChatMl);
        m_dataset = Dataset::load(m_options, m_tokenizer, chatTemplate);
        m_report = surveyOf(m_options, m_tokenizer, chatTemplate);
        EXPECT_TRUE(m_report.training == m_dataset.training().lengths());
        EXPECT_TRUE(m_report.validation == m_dataset.validation().lengths());
        EXPECT_EQ(m_report.numUsed, m_dataset.stats().numRows - std::ssize(m_dataset.dropped()));
        EXPECT_EQ(m_report.numTruncated, m_dataset.stats().numTruncated);
        EXPECT_EQ(textsOf(m_report.dropped), textsOf(m_dataset.dropped()));
    }
    static std::vector<std::string> textsOf(const std::vector<session::DroppedRow>& rows) {
        std::vector<std::string> texts;
        for (const session::DroppedRow& row : rows)
            texts.push_back(row.text);
        return texts;
    }
    static std::set<int64_t> idsOf(const ExampleSet& examples) {
        std::set<int64_t> ids;
        for (int64_t i = 0; i < examples.size(); ++i)
            ids.insert(examples.idOf(i));
        return ids;
    }
    std::vector<int64_t> droppedNumbers() const {
        std::vector<int64_t> numbers;
        for (const session::DroppedRow& row : m_dataset.dropped())
            numbers.push_back(row.place.number);
        return numbers;
    }
    session::TokenLens lensOf(int64_t number) const {
        const text::ChatTemplate chatTemplate = text::ChatTemplate::fromSource(kChatMl);
        return RowBrowser(m_options, m_tokenizer, chatTemplate).lens({0, number});
    }
    session::RowKey keyOf(int64_t number) const { return session::parseRowKey(lensOf(number).key); }

    testing::TemporaryFolder m_folder;
    text::Tokenizer m_tokenizer = makeByteTokenizer(m_folder.path());
    DataOptions m_options;
    Dataset m_dataset;
    session::DatasetReport m_report;
};

TEST_F(RowsLeftOut, keepsOneOfEachRowThatIsRepeated) {
    use(row(kStory, "Once upon a time") + row("other words", "entirely") + row(kStory, "Once upon a time") +
        row(kStory + "!", "Once upon a time") + row(kStory, "Once upon a time"));
    m_options.leaveOut = {LeaveOut::kDuplicates};
    load();
    EXPECT_EQ(idsOf(m_dataset.training()), (std::set<int64_t>{0, 1, 3}));
    EXPECT_EQ(m_report.exact.numRows, 0);
    EXPECT_EQ(m_report.near.numRows, 1); // nobody has chosen that
    ASSERT_EQ(m_report.dropped.size(), 2u);
    EXPECT_EQ(m_report.dropped[0].reason, DropReason::kLeftOut);
    EXPECT_EQ(m_report.dropped[0].text,
              "'" + m_options.files[0].string() + "', line 3: is left out: the same as row 1 of 'rows.jsonl'");
    EXPECT_EQ(m_dataset.stats().summary(), "3 of 5 rows are usable; dropped: 2 left out by choice");

    m_options.leaveOut.push_back(LeaveOut::kNearDuplicates);
    load();
    EXPECT_EQ(idsOf(m_dataset.training()), (std::set<int64_t>{0, 1}));
    EXPECT_EQ(m_report.near.numRows, 0);
    EXPECT_EQ(m_report.dropped[1].problem.code, RowRemark::kLeftOutNearDuplicate);
}

// Leaving rows out moves no other row between the sides, so losses on them can be compared.
TEST_F(RowsLeftOut, leavesTheSplitOfTheOthersAsItIs) {
    std::string rows;
    for (int i = 0; i < 60; ++i)
        rows += row("question " + std::to_string(i % 40), "answer " + std::to_string(i % 40));
    use(rows + row("", "an empty question"));
    m_options.validationFraction = 0.3;
    load();
    ASSERT_GT(m_report.exact.numRows, 0);
    ASSERT_GT(m_report.leaked.numRows, 0);
    ASSERT_EQ(m_report.emptyTurns.numRows, 1);
    const auto training = idsOf(m_dataset.training()), validation = idsOf(m_dataset.validation());
    const int64_t numRepeated = m_report.exact.numRows, numLeaked = m_report.leaked.numRows;

    m_options.leaveOut = {LeaveOut::kDuplicates, LeaveOut::kLeaks, LeaveOut::kEmptyTurns};
    load();
    EXPECT_TRUE(std::ranges::includes(training, idsOf(m_dataset.training())));
    EXPECT_TRUE(std::ranges::includes(validation, idsOf(m_dataset.validation())));
    EXPECT_EQ(std::ssize(m_dataset.dropped()), numRepeated + numLeaked + 1);
    EXPECT_EQ(m_report.exact.numRows + m_report.leaked.numRows + m_report.emptyTurns.numRows, 0);
    EXPECT_EQ(m_report.lengths.numRows, 61); // a limit is chosen by all rows
    for (int64_t i = 0; i < m_dataset.validation().size(); ++i)
        for (int64_t k = 0; k < m_dataset.training().size(); ++k)
            EXPECT_NE(m_dataset.validation()[i].ids, m_dataset.training()[k].ids);
}

TEST_F(RowsLeftOut, leavesOutWhatLeaksIntoAValidationFile) {
    use(row(kStory, "Once upon a time") + row("other words", "entirely"));
    m_options.validationFiles = {write("held.jsonl", row("other words", "entirely") + row("a third thing", "it is") +
                                                         row(kStory + "!", "Once upon a time"))};
    m_options.leaveOut = {LeaveOut::kLeaks};
    load();
    EXPECT_EQ(idsOf(m_dataset.training()), (std::set<int64_t>{0, 1}));
    EXPECT_EQ(idsOf(m_dataset.validation()), (std::set<int64_t>{3, 4}));
    EXPECT_EQ(m_report.nearlyLeaked.numRows, 1);
    EXPECT_EQ(m_report.dropped[0].place.file, 1);
    m_options.leaveOut.push_back(LeaveOut::kNearLeaks);
    load();
    EXPECT_EQ(idsOf(m_dataset.validation()), (std::set<int64_t>{3}));

    m_options.validationFiles = {write("held.jsonl", row("other words", "entirely"))};
    testing::expectError(ErrorKind::kInvalidInput, {"for validation", "1 left out by choice"},
                         [&] { Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl)); });
}

TEST_F(RowsLeftOut, takesOfALargeValidationFileWhatTheRunTakes) {
    use(row("other words", "entirely"));
    std::string rows;
    for (int i = 0; i < 20; ++i)
        rows += row("question " + std::to_string(i), "answer");
    m_options.validationFiles = {write("held.jsonl", rows)};
    m_options.maxValidationRows = 5;
    const text::ChatTemplate chatTemplate = text::ChatTemplate::fromSource(kChatMl);
    EXPECT_EQ(Dataset::load(m_options, m_tokenizer, chatTemplate).validation().size(), 5);
    EXPECT_EQ(surveyOf(m_options, m_tokenizer, chatTemplate).validation.size(), 5);
}

TEST_F(RowsLeftOut, leavesOutSingleRowsAndNoOtherThatSaysTheSame) {
    use(row("one", "1") + row("two", "2") + row("two", "2") + row("four", "4"));
    m_options.leaveOutRows = {keyOf(3)};
    m_options.leaveOut = {LeaveOut::kDuplicates};
    load();
    EXPECT_EQ(idsOf(m_dataset.training()), (std::set<int64_t>{0, 1, 3}));
    EXPECT_EQ(m_report.dropped[0].problem.code, RowRemark::kLeftOutRow);
    EXPECT_EQ(lensOf(3).dropReason, DropReason::kLeftOut);
    EXPECT_FALSE(lensOf(2).dropReason.has_value());

    // What repeats a row that is left out is the one that is kept.
    m_options.leaveOutRows = {keyOf(2)};
    load();
    EXPECT_EQ(idsOf(m_dataset.training()), (std::set<int64_t>{0, 2, 3}));
}

TEST_F(RowsLeftOut, refusesRowsThatAreNoLongerThere) {
    const std::string rest = row("two", "2") + row("three", "3");
    use(row("one", "1") + rest);
    m_options.leaveOutRows = {keyOf(2)};
    const std::string key = m_options.leaveOutRows[0].text();
    for (const std::string& changed : {rest, row("one", "1") + row("two", "II") + row("three", "3")}) {
        use(changed);
        const text::ChatTemplate chatTemplate = text::ChatTemplate::fromSource(kChatMl);
        testing::expectError(ErrorKind::kInvalidInput, {"1 of the rows to leave out", key, "has changed"},
                             [&] { Dataset::load(m_options, m_tokenizer, chatTemplate); });
        EXPECT_EQ(surveyOf(m_options, m_tokenizer, chatTemplate).refusal.code, RowRemark::kRowsToLeaveOutGone);
    }
    // Dropped for another reason it is still there.
    use(row("one", "1") + row("two", "2") + row("three", std::string(500, '3')));
    m_options.leaveOutRows = {keyOf(3)};
    m_options.overLength = OverLength::kDrop;
    load();
    EXPECT_EQ(m_report.dropped[0].reason, DropReason::kTooLong);
    use(R"({"messages":[{"role":"user","content":"one"}]})"
        "\n" +
        row("two", "2"));
    m_options.leaveOutRows = {keyOf(1)};
    load();
    EXPECT_EQ(m_report.dropped[0].reason, DropReason::kNoAssistant);
}

TEST_F(RowsLeftOut, encodesNothingAgain) {
    use(row("one", "1") + row("one", "1") + row("", "3") +
        R"({"messages":[{"role":"user","content":"x"}]})"
        "\n");
    m_options.cacheFolder = m_folder.path() / "cache";
    m_options.modelFolder = m_folder.path();
    load();
    m_options.leaveOut = {LeaveOut::kDuplicates, LeaveOut::kEmptyTurns};
    m_options.leaveOutRows = {keyOf(4)}; // a row without tokens is known by its text, too
    load();
    EXPECT_EQ(m_dataset.stats().numEncoded, 0);
    EXPECT_EQ(m_report.numEncoded, 0);
    EXPECT_EQ(idsOf(m_dataset.training()), (std::set<int64_t>{0}));
    EXPECT_EQ(droppedNumbers(), (std::vector<int64_t>{2, 3, 4}));
}

TEST_F(RowsLeftOut, trainsSomething) {
    use(row("one", "1"));
    m_options.leaveOutRows = {keyOf(1)};
    testing::expectError(ErrorKind::kInvalidInput, {"1 left out by choice", "line 1: is left out"},
                         [&] { Dataset::load(m_options, m_tokenizer, text::ChatTemplate::fromSource(kChatMl)); });
}

} // namespace
} // namespace roundpipe::data
