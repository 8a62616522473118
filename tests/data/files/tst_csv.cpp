// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/row_index.h"
#include "data/files/row_source.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <fstream>
#include <gtest/gtest.h>
#include <vector>

namespace roundpipe::data {
namespace {

using testing::expectError;

class Csv : public ::testing::Test {
protected:
    std::vector<RawRow> read(const std::string& content, const std::string& name = "a.csv",
                             const TableLayout& table = {}) {
        const auto path = m_folder.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        const auto source = openRows(path, table);
        std::vector<RawRow> rows;
        while (auto row = source->next())
            rows.push_back(std::move(*row));
        return rows;
    }

    testing::TemporaryFolder m_folder;
};

TEST_F(Csv, makesAnObjectOfStringsOfEveryRecord) {
    const auto rows = read("\xEF\xBB\xBFinstruction,input,output\r\n1,,NA\r\n\"a, \"\"b\"\"\",\"two\nlines\",true\r\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].json, R"({"instruction":"1","input":"","output":"NA"})");
    EXPECT_EQ(rows[1].json, R"({"instruction":"a, \"b\"","input":"two\nlines","output":"true"})");
    EXPECT_EQ(rows[1].number, 2);
}

TEST_F(Csv, readsTabs) {
    EXPECT_EQ(read("a\tb\n1,5\t2\n", "a.tsv").at(0).json, R"({"a":"1,5","b":"2"})");
}

TEST_F(Csv, findsTheDelimiterThatTheRecordsHave) {
    const std::string two = R"({"prompt":"1,5","completion":"2"})";
    EXPECT_EQ(read("prompt;completion\n1,5;2\n").at(0).json, two);
    EXPECT_EQ(read("prompt|completion\n1,5|2\n").at(0).json, two);
    EXPECT_EQ(read("prompt\tcompletion\n1,5\t2\n").at(0).json, two);
    EXPECT_EQ(read("prompt,completion\n\"1,5\",2\n", "a.tsv").at(0).json, two);
    EXPECT_EQ(read("prompt;completion\n\"a\nb; c\";2\n").at(0).json, R"({"prompt":"a\nb; c","completion":"2"})");
    EXPECT_EQ(read("a,b\nx;y,1\nz;w;v,2\n").at(0).json, R"({"a":"x;y","b":"1"})"); // the usual one where it fits
    EXPECT_EQ(read("text\na;b\n").at(0).json, R"({"text":"a;b"})");                // and where there is one column
    // Quotes that are not those of cells tell that a delimiter is none.
    for (const bool hasHeader : {false, true}) {
        const std::string header = hasHeader ? "\"x, y\";z\n" : "";
        const auto rows = read(header + "\"a, b\";\"c, d\"\n\"e, f\";\"g, h\"\n", "a.csv", {'\0', hasHeader});
        ASSERT_EQ(rows.size(), 2u);
        EXPECT_EQ(rows[0].json,
                  hasHeader ? R"({"x, y":"a, b","z":"c, d"})" : R"({"column 1":"a, b","column 2":"c, d"})");
    }
    // The header alone does not decide: by commas its records would be ragged.
    EXPECT_EQ(read("when, where;what\n1;2\n3;4\n").at(1).json, R"({"when, where":"3","what":"4"})");
}

TEST_F(Csv, takesTheDelimiterThatExcelNames) {
    const auto rows = read("\xEF\xBB\xBFsep=;\r\na,b;c\r\n1;2\r\n");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].json, R"({"a,b":"1","c":"2"})");
    EXPECT_EQ(rows[0].number, 1);
}

TEST_F(Csv, takesTheDelimiterAndTheHeaderThatAreSaid) {
    EXPECT_EQ(read("a~b\n1;2~3;4\n", "a.csv", {'~', true}).at(0).json, R"({"a":"1;2","b":"3;4"})");
    EXPECT_EQ(read("sep=;\na,b;c\n1,2;3\n", "a.csv", {',', true}).at(0).json, R"({"a":"1","b;c":"2;3"})");
    const auto rows = read("\xEF\xBB\xBFone,\"two\nlines\"\nthree,four\n", "a.csv", {'\0', false});
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].json, R"({"column 1":"one","column 2":"two\nlines"})");
    EXPECT_EQ(rows[0].number, 1);
    EXPECT_EQ(rows[1].json, R"({"column 1":"three","column 2":"four"})");
    EXPECT_EQ(read("a;a\n", "a.csv", {'\0', false}).at(0).json, R"({"column 1":"a","column 2":"a"})");
    const RowIndex index(m_folder.path() / "a.csv", {'\0', false});
    EXPECT_EQ(index.rows(1, 1).at(0).json, R"({"column 1":"a","column 2":"a"})");
}

TEST_F(Csv, saysThatThereIsAHeaderOnlyAndThatFollowingTheAdviceHelps) {
    expectError(ErrorKind::kInvalidInput, {"a header, and no row", "--no-header"},
                [&] { read("prompt,completion\n"); });
    expectError(ErrorKind::kInvalidInput, {"'a' twice", "Give each column a name of its own", "--no-header"},
                [&] { read("a,a\nb,c\n"); });
    EXPECT_EQ(read("a,a\nb,c\n", "a.csv", {'\0', false}).size(), 2u);
}

TEST_F(Csv, namesTheRecordThatDoesNotFitAndKeepsTheRest) {
    const auto rows = read("a,b\n1,2\n3\n\"x\ny\",4\n5,6,7\n8,9\n");
    ASSERT_EQ(rows.size(), 5u);
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].number, static_cast<int64_t>(i) + 1);
    EXPECT_NE(rows[1].problem.text().find("columns (1) than the header (2)"), std::string::npos);
    EXPECT_EQ(rows[2].json, R"({"a":"x\ny","b":"4"})");
    EXPECT_EQ(
        rows[3].problem.text(),
        "has another number of columns (3) than the header (2); a cell that holds the delimiter stands in quotes");
    EXPECT_EQ(rows[4].json, R"({"a":"8","b":"9"})");
}

TEST_F(Csv, namesTheColumnThatIsNotUtf8) {
    const auto rows = read("a,b\n1,\xE4\n3,4\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].problem.text(),
              "is not valid UTF-8: byte 0xe4 at position 1 of column 'b'; save the file as UTF-8");
    EXPECT_TRUE(rows[1].problem.empty());
}

TEST_F(Csv, namesQuotesThatAreWrittenWithABackslash) {
    const auto rows = read("a,b\n\"He said \\\"hi\\\"\",\"c\\\"d\"\n1,\"x \\\"y, z\\\"\"\n\"C:\\\",\"\"\"q\"\"\"\n");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].problem.text(),
              "has quotes in column 1 that are written with a backslash; CSV writes them twice");
    EXPECT_NE(rows[1].problem.text().find("in column 2"), std::string::npos);
    EXPECT_EQ(rows[2].json, R"({"a":"C:\\","b":"\"q\""})");
}

// Which of its quotes are the text's, nobody can tell.
TEST_F(Csv, namesACellThatGoesOnBehindItsQuotes) {
    const auto rows = read("a,b\n1,\"abc\"def\n\"abc\" def,2\n\"\"x,2\n3,\"4\" \n");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].problem.text(),
              "has text behind the closing quote of column 2; a cell with quotes in it stands in "
              "quotes, and each of them is written twice");
    EXPECT_NE(rows[1].problem.text().find("quote of column 1"), std::string::npos);
    EXPECT_NE(rows[2].problem.text().find("quote of column 1"), std::string::npos);
    EXPECT_EQ(rows[3].json, R"({"a":"3","b":"4"})");
    expectError(ErrorKind::kInvalidInput, {"a header that has text behind the closing quote of column 2"},
                [&] { read("a,\"b\"c\n1,2\n"); });
}

TEST_F(Csv, losesOneLineToAQuoteThatIsNeverClosed) {
    const auto rows = read("a,b\n1,2\n\"3,4\n5,6\n7,8\n");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_NE(rows[1].problem.text().find("never closed"), std::string::npos);
    EXPECT_EQ(rows[2].number, 3);
    EXPECT_EQ(rows[2].json, R"({"a":"5","b":"6"})");
    EXPECT_EQ(rows[3].json, R"({"a":"7","b":"8"})");
}

TEST_F(Csv, namesColumnsThatHaveNoName) {
    EXPECT_EQ(read(",a\n0,x\n").at(0).json, R"({"column 1":"0","a":"x"})");
}

TEST_F(Csv, skipsBlankLinesAndTakesCellsAsPeopleWriteThem) {
    const auto rows = read("a,b\n\n1,x\"y\"\r\n\r\n 2 ,it\"s\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].json, R"({"a":"1","b":"x\"y\""})");
    EXPECT_EQ(rows[1].json, R"({"a":" 2 ","b":"it\"s"})");
    EXPECT_EQ(rows[1].number, 2);
    EXPECT_EQ(read(" Prompt ,\tb\n 1,2\n")[0].json, R"({"Prompt":" 1","b":"2"})");
}

TEST_F(Csv, takesQuotesBehindABlankForQuotes) {
    const auto rows = read(
        "a, b\n\"x, y\", \"7, \"\"8\"\" \"\n1, \"he\" said\n \"\" ,\t\"2\" \n1, \"two\nlines\"\n1, \"2,\"\n\"3\" ,4\n");
    ASSERT_EQ(rows.size(), 7u);
    EXPECT_EQ(rows[0].json, R"({"a":"x, y","b":"7, \"8\" "})");
    EXPECT_EQ(rows[1].json, R"({"a":"1","b":" \"he\" said"})"); // a text with quotes in it
    EXPECT_EQ(rows[2].json, R"({"a":"","b":"2"})");
    EXPECT_NE(rows[3].problem.text().find("a quote that is never closed"), std::string::npos);
    EXPECT_NE(rows[4].problem.text(), "");
    EXPECT_EQ(rows[5].json, R"({"a":"1","b":"2,"})");
    EXPECT_EQ(rows[6].json, R"({"a":"3","b":"4"})");
}

TEST_F(Csv, refusesAHeaderThatCannotBeUsed) {
    expectError(ErrorKind::kInvalidInput, {"a.csv", "carriage returns"}, [&] { read("a,b\r1,2\r3,4\r"); });
    for (const char* headerOnly : {"a,b\r\n", "a,b\r", "a,b\n\n\n"})
        expectError(ErrorKind::kInvalidInput, {"a.csv", "no row"}, [&] { read(headerOnly); });
    expectError(ErrorKind::kInvalidInput, {"a.csv"}, [&] { read(""); });
    expectError(ErrorKind::kInvalidInput, {"a.csv", "'x' twice"}, [&] { read("x,y, x\n1,2,3\n"); });
    expectError(ErrorKind::kInvalidInput, {"a.csv", "column 2", "Save the file as UTF-8"},
                [&] { read("x,\xE4\n1,2\n"); });
}

TEST_F(Csv, readsTheAlpacaFixture) {
    RP_REQUIRE_FIXTURES();
    const auto source = openRows(testing::fixtures() / "datasets" / "alpaca_subset.csv");
    int64_t count = 0, multiline = 0;
    while (const auto row = source->next()) {
        EXPECT_EQ(row->problem.text(), "") << row->number;
        EXPECT_EQ(row->number, ++count);
        multiline += row->json.find("\\n") != std::string::npos;
    }
    EXPECT_EQ(count, 500);
    EXPECT_GT(multiline, 50);
}

} // namespace
} // namespace roundpipe::data
