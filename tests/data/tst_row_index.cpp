#include "data/files/row_index.h"

#include "row_files.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace roundpipe::data {
namespace {

class Index : public ::testing::Test {
protected:
    // Reads rows in a random order by the index, and expects what reading the file gives.
    void expectSameRows(const std::filesystem::path& path) const {
        SCOPED_TRACE(path.filename().string());
        const auto expected = readAll(path);
        const auto count = static_cast<int64_t>(expected.size());
        const RowIndex index(path);
        index.wait();
        ASSERT_EQ(index.progress().problem, "");
        ASSERT_EQ(index.progress().numRows, count);
        EXPECT_EQ(index.progress().fraction, 1.0);
        std::mt19937 random(7);
        const int tries = index.isSeekable() ? 60 : 6;
        for (int i = 0; i < tries; ++i) {
            const auto first = static_cast<int64_t>(random() % static_cast<uint32_t>(count));
            const auto rows = index.rows(first, 5);
            ASSERT_EQ(static_cast<int64_t>(rows.size()), std::min<int64_t>(5, count - first));
            for (std::size_t k = 0; k < rows.size(); ++k) {
                const RawRow& wanted = expected[static_cast<std::size_t>(first) + k];
                ASSERT_EQ(rows[k].number, wanted.number) << first;
                ASSERT_EQ(rows[k].json, wanted.json);
                ASSERT_EQ(rows[k].problem, wanted.problem);
            }
        }
        EXPECT_TRUE(index.rows(count, 5).empty());
    }
    static std::string repeated(int count, const std::function<std::string(int)>& row) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += row(i);
        return text;
    }
    static std::string filler(int i) { return std::string(static_cast<std::size_t>(i * 37 % 300), 'x'); }

    RowFiles m_files;
};

TEST_F(Index, readsAnyRowOfEveryKindOfFile) {
    expectSameRows(m_files.write("a.jsonl", repeated(20000, [](int i) {
                                     return "{\"i\":" + std::to_string(i) + ",\"t\":\"" + filler(i) + "\"}\n" +
                                            (i % 50 == 0 ? "\n\n" : "") + (i % 1000 == 7 ? "\xFF\n" : "");
                                 })));
    expectSameRows(m_files.write("a.json", "[" + repeated(20000, [](int i) {
                                               return "{\"i\":" + std::to_string(i) + ",\"t\":\"],[" + filler(i) +
                                                      "\"},";
                                           }) + "{}]"));
    expectSameRows(m_files.write("a.csv", "i,t\r\n" + repeated(20000, [](int i) {
                                              return std::to_string(i) + ",\"line\n" + filler(i) + "\"\r\n" +
                                                     (i % 99 == 0 ? "ragged\r\n" : "");
                                          })));
    expectSameRows(m_files.write("a.txt", repeated(20000, [](int i) {
                                     return "Line " + std::to_string(i) + filler(i) + "\n" + (i % 13 == 0 ? "\n" : "") +
                                            (i % 500 == 0 ? "\f\n" : "");
                                 })));
}

TEST_F(Index, streamsCompressedFiles) {
    const auto plain = m_files.write("a.jsonl", repeated(20000, [](int i) {
                                         return "{\"i\":" + std::to_string(i) + ",\"t\":\"" + filler(i) + "\"}\n";
                                     }));
    ASSERT_EQ(std::system(("gzip -k '" + plain.string() + "'").c_str()), 0);
    const auto packed = plain.string() + ".gz";
    EXPECT_FALSE(RowIndex(packed).isSeekable());
    expectSameRows(packed);
}

TEST_F(Index, readsParquetByItsOwnIndex) {
    RP_REQUIRE_FIXTURES();
    expectSameRows(testing::fixtures() / "datasets" / "gsm8k_test_verl.parquet");
}

TEST_F(Index, givesTheFirstRowsAtOnceAndOthersOnceTheyArePassed) {
    const int count = 400000;
    const auto path = m_files.write("a.jsonl", repeated(count, [](int i) {
                                        return "{\"i\":" + std::to_string(i) + ",\"t\":\"" + filler(i) + "\"}\n";
                                    }));
    const RowIndex index(path);
    EXPECT_EQ(index.rows(0, 3).size(), 3u); // however far the index is
    EXPECT_EQ(index.rows(998, 10).size() >= 2, true);
    double last = 0;
    while (!index.progress().isDone) {
        const IndexProgress progress = index.progress();
        EXPECT_GE(progress.fraction, last);
        last = progress.fraction;
        if (progress.numRows < 1) continue;
        const auto rows = index.rows(progress.numRows - 1, 1);
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].number, progress.numRows);
    }
    EXPECT_EQ(index.progress().numRows, count);
}

TEST_F(Index, canBeCancelledAndStillReadsWhatItPassed) {
    const auto path = m_files.write("a.jsonl", repeated(400000, [](int i) {
                                        return "{\"i\":" + std::to_string(i) + ",\"t\":\"" + filler(i) + "\"}\n";
                                    }));
    RowIndex index(path);
    index.cancel();
    index.wait();
    const int64_t passed = index.progress().numRows;
    EXPECT_LT(passed, 400000);
    EXPECT_LT(index.progress().fraction, 1.0);
    EXPECT_EQ(index.rows(0, 10).size(), 10u);
    EXPECT_TRUE(index.rows(std::max<int64_t>(passed, 1000), 5).empty());
}

TEST_F(Index, mayBeReadByManyThreads) {
    const auto path = m_files.write("a.jsonl", repeated(50000, [](int i) {
                                        return "{\"i\":" + std::to_string(i) + ",\"t\":\"" + filler(i) + "\"}\n";
                                    }));
    const RowIndex index(path);
    std::vector<std::jthread> threads;
    for (uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&index, t] {
            std::mt19937 random(t);
            for (int i = 0; i < 50; ++i) {
                const auto first = static_cast<int64_t>(random() % 50000);
                for (const RawRow& row : index.rows(first, 3))
                    EXPECT_EQ(row.json.substr(5, row.json.find(',') - 5), std::to_string(row.number - 1));
            }
        });
}

} // namespace
} // namespace roundpipe::data
