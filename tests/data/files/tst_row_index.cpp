// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/row_index.h"

#include "data/files/records/compression.h"
#include "row_files.h"

#include <algorithm>
#include <chrono>
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
        const RowIndex index(path);
        waitFor(index);
        const int64_t last = expected.back().number;
        ASSERT_EQ(index.progress().lastNumber, last);
        std::mt19937 random(7);
        const int tries = index.file().compression == Compression::kNone ? 60 : 6;
        for (int i = 0; i < tries; ++i) {
            const auto number = static_cast<int64_t>(random() % static_cast<uint32_t>(last)) + 1;
            const auto rows = index.rows(number, 5);
            auto wanted = std::ranges::lower_bound(expected, number, {}, &RawRow::number);
            ASSERT_EQ(std::ssize(rows), std::min<std::ptrdiff_t>(5, expected.end() - wanted));
            for (const RawRow& row : rows) {
                ASSERT_EQ(row.number, wanted->number) << number;
                ASSERT_EQ(row.json, wanted->json);
                ASSERT_EQ(row.problem.text(), wanted->problem.text());
                ++wanted;
            }
        }
        EXPECT_TRUE(index.rows(last + 1, 5).empty());
    }
    static void waitFor(const RowIndex& index) {
        while (!index.progress().isDone)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
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
    expectSameRows(packed);
}

TEST_F(Index, readsParquetByItsOwnIndex) {
    RP_REQUIRE_FIXTURES();
    expectSameRows(testing::fixtures() / "datasets" / "gsm8k_test_verl.parquet");
}

TEST_F(Index, readsRowsAtAnyTimeAndSaysHowManyItHasPassed) {
    const int count = 400000;
    const auto path = m_files.write("a.jsonl", repeated(count, [](int i) {
                                        return "{\"i\":" + std::to_string(i) + ",\"t\":\"" + filler(i) + "\"}\n";
                                    }));
    const RowIndex index(path);
    EXPECT_EQ(index.rows(1, 3).size(), 3u); // however far the index is
    EXPECT_EQ(index.rows(count - 1, 10).size(), 2u);
    int64_t last = 0;
    while (!index.progress().isDone) {
        const int64_t passed = index.progress().lastNumber;
        EXPECT_GE(passed, last);
        last = passed;
        if (passed < 1) continue;
        const auto rows = index.rows(passed, 1);
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ(rows[0].number, passed);
    }
    EXPECT_EQ(index.progress().lastNumber, count);
}

TEST_F(Index, stopsReadingWhenItIsToldTo) {
    const auto path = m_files.write("a.jsonl", repeated(100, [](int) { return "{}\n"; }));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(RowIndex(path).rows(50, 10, stop.get_token()).empty());
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
                const auto number = static_cast<int64_t>(random() % 50000) + 1;
                for (const RawRow& row : index.rows(number, 3))
                    EXPECT_EQ(row.json.substr(5, row.json.find(',') - 5), std::to_string(row.number - 1));
            }
        });
}

} // namespace
} // namespace roundpipe::data
