// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/report/row_search.h"

#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <fstream>
#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

bool found(const std::string& json, const std::string& text) {
    return TextMatch(text).matches({1, json, {}});
}

TEST(TextMatch, looksIntoWhatARowSaysNotIntoHowItIsSpelt) {
    const std::string row = R"({"role": "A \"quoted\" word,\nT\u00e4glich Tee \/ 7", "n": [12.5, {"b": "深い"}]})";
    EXPECT_TRUE(found(row, "quoted\" WORD"));
    EXPECT_TRUE(found(row, "word,\nT"));
    EXPECT_TRUE(found(row, "täglich tee / 7"));
    EXPECT_TRUE(found(row, "深い"));
    EXPECT_TRUE(found(row, "12.5"));
    EXPECT_FALSE(found(row, "role")); // the name of a field
    EXPECT_FALSE(found(row, "u00e4"));
    EXPECT_FALSE(found(row, "wordT"));
}

TEST(TextMatch, looksIntoRowsThatAreNoJson) {
    EXPECT_TRUE(found("{\"text\": \"half a r", "Half a R"));
    EXPECT_TRUE(TextMatch("longer than").matches({1, {}, session::Remark(session::RowRemark::kTooManyBytes)}));
    testing::expectError(ErrorKind::kInvalidInput, {"Nothing is searched for"}, [] { TextMatch(""); });
}

class Search : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& rows) {
        const auto path = m_folder.path() / name;
        std::ofstream(path, std::ios::binary) << rows;
        return path;
    }
    static std::vector<session::RowPlace> allOf(RowSearch& search) {
        std::vector<session::RowPlace> rows;
        double fraction = 0;
        for (bool isDone = false; !isDone;) {
            const session::SearchResult piece = search.next();
            rows.insert(rows.end(), piece.rows.begin(), piece.rows.end());
            EXPECT_GE(piece.fraction, fraction);
            fraction = piece.fraction;
            isDone = piece.isDone;
        }
        EXPECT_EQ(fraction, 1);
        return rows;
    }
    testing::TemporaryFolder m_folder;
};

TEST_F(Search, goesThroughAllFilesAndNamesRowsAsPeopleCount) {
    RowSearch search({write("a.jsonl", "{\"text\": \"one\"}\n\n{\"text\": \"TWO\"}\n"),
                      m_folder.path() / "missing.jsonl", write("b.csv", "text\nnone\n\"two\nlines\"\n")},
                     "two");
    const auto rows = allOf(search);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].file, 0);
    EXPECT_EQ(rows[0].number, 3); // the blank line counts
    EXPECT_EQ(rows[1].file, 2);
    EXPECT_EQ(rows[1].number, 2);
}

// So that a search of a large file can be given up, and other requests come between.
TEST_F(Search, comesInPieces) {
    std::string rows;
    for (int i = 0; i < 1'600'000; ++i) // which nobody looks through in a piece's 50 ms
        rows += "{\"messages\": [{\"role\": \"user\", \"content\": \"row " + std::to_string(i) + "\"}]}\n";
    RowSearch search({write("many.jsonl", rows)}, "row 39999");
    const auto begin = std::chrono::steady_clock::now();
    const session::SearchResult first = search.next();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2)); // 50 ms where nothing else runs
    EXPECT_GT(first.fraction, 0);
    std::size_t numFound = first.rows.size();
    int numPieces = 1;
    for (bool isDone = first.isDone; !isDone; ++numPieces) {
        const session::SearchResult piece = search.next();
        numFound += piece.rows.size();
        isDone = piece.isDone;
    }
    EXPECT_EQ(numFound, 11U); // 39999, 399990 … 399999
    EXPECT_GT(numPieces, 1);
    std::stop_source stop;
    stop.request_stop();
    RowSearch stopped({m_folder.path() / "many.jsonl"}, "row");
    EXPECT_EQ(stopped.next(stop.get_token()).rows.size(), 1U);
}

} // namespace
} // namespace roundpipe::data
