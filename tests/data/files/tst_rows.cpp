// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/row_source.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <fstream>
#include <gtest/gtest.h>
#include <vector>

namespace roundpipe::data {
namespace {

using testing::expectError;

class Rows : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& content) {
        const auto path = m_folder.path() / name;
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    std::vector<RawRow> read(const std::string& name, const std::string& content) {
        const auto source = openRows(write(name, content));
        std::vector<RawRow> rows;
        while (auto row = source->next())
            rows.push_back(std::move(*row));
        return rows;
    }
    // "number:text" or "number!problem"
    std::vector<std::string> shown(const std::string& name, const std::string& content) {
        std::vector<std::string> result;
        for (const RawRow& row : read(name, content))
            result.push_back(std::to_string(row.number) +
                             (row.problem.empty() ? ":" + row.json : "!" + row.problem.text().substr(0, 12)));
        return result;
    }
    using Shown = std::vector<std::string>;

    testing::TemporaryFolder m_folder;
};

TEST_F(Rows, numbersLinesOfJsonLinesSkippingBlankOnes) {
    EXPECT_EQ(shown("a.jsonl", "{\"a\":1}\n\n  \n{\"a\":2}\n"), (Shown{"1:{\"a\":1}", "4:{\"a\":2}"}));
    EXPECT_EQ(shown("a.jsonl", "\n{}"), (Shown{"2:{}"}));
}

TEST_F(Rows, takesByteOrderMarkAndCarriageReturns) {
    EXPECT_EQ(shown("a.jsonl", "\xEF\xBB\xBF{\"a\":1}\r\n\r\n{\"a\":2}\r\n"),
              (Shown{"1:{\"a\":1}\r", "3:{\"a\":2}\r"}));
    EXPECT_EQ(shown("a.json", "\xEF\xBB\xBF [1,\r\n2]\r\n"), (Shown{"1:1", "2:\r\n2"}));
}

TEST_F(Rows, cutsAnArrayAtItsOutermostCommas) {
    EXPECT_EQ(shown("a.json", R"([{"a":[1,2],"b":"],\"{"},{"c":{}} , 3])"),
              (Shown{R"(1:{"a":[1,2],"b":"],\"{"})", R"(2:{"c":{}} )", "3: 3"}));
    EXPECT_EQ(shown("a.json", "[]"), Shown{});
    EXPECT_EQ(shown("a.json", " [ ] \n"), Shown{});
}

TEST_F(Rows, readsTheListThatAnObjectHolds) {
    EXPECT_EQ(shown("a.json", R"({"version": "1, [2]", "by": {"data": [0]}, "data": [{"a":[1]}, {"a":2}], "n": 2})"),
              (Shown{R"(1:{"a":[1]})", R"(2: {"a":2})"}));
    EXPECT_EQ(shown("a.json", R"({"data": [ ]})"), Shown{});
    EXPECT_EQ(shown("a.json", "{\n  \"rows\": [\n{\"a\":1}]\n}\n"), (Shown{"1:\n{\"a\":1}"}));
    // What is not read is said, and no row is lost by it.
    EXPECT_EQ(shown("a.json", R"({"train": [{"a":1}], "test": [{"a":2}]})"), (Shown{R"(1:{"a":1})", "2!and others a"}));
    EXPECT_EQ(shown("a.json", R"({"test": [{"a":2}], "n": [1], "train": [{"a":1}]})"),
              (Shown{R"(1:{"a":1})", "2!and others a"}));
    EXPECT_EQ(shown("a.json", R"({"data": [{"a":1},{"a")"), (Shown{R"(1:{"a":1})", "2!is cut off: "}));
    // Rows on lines may have such columns.
    EXPECT_EQ(shown("a.jsonl", "{\"data\":[{\"a\":1}]}\n{\"data\":[]}\n").size(), 2u);
}

TEST_F(Rows, readsObjectsOverSeveralLines) {
    const std::string pretty = "{\n  \"a\": \"}{\",\n  \"b\": [\n    {}\n  ]\n}\n";
    EXPECT_EQ(shown("a.json", pretty + "\n" + pretty),
              (Shown{"1:" + pretty.substr(0, pretty.size() - 1), "2:" + pretty.substr(0, pretty.size() - 1)}));
    EXPECT_EQ(shown("a.jsonl", "{\n\"a\":1\n}"), (Shown{"1:{\n\"a\":1\n}"}));
    EXPECT_EQ(shown("a.jsonl", "{\n\"a\":1\n}\nx y\n{\"a\":2} {\"a\":\n3}\n"),
              (Shown{"1:{\n\"a\":1\n}", "2:x y\n", "3:{\"a\":2}", "4:{\"a\":\n3}"}));
    EXPECT_EQ(shown("a.jsonl", "{\n\"a\":1\n}\n{\n\"a\":"), (Shown{"1:{\n\"a\":1\n}", "2!is never clo"}));
    EXPECT_EQ(shown("a.json", "{\n\"messages\":[]\n}\n"), (Shown{"1:{\n\"messages\":[]\n}"}));
    // A line that is broken off is one bad row among lines.
    EXPECT_EQ(shown("a.jsonl", "{\"a\": [1,\n{\"a\":2}\n").size(), 2u);
    EXPECT_EQ(shown("a.jsonl", "{\"a\": \"x\n{\"a\":2}\n").size(), 2u);
}

TEST_F(Rows, readsListsOnLines) {
    EXPECT_EQ(shown("a.jsonl", "[{\"role\":1}]\n\n[{\"role\":2}]\n"), (Shown{"1:[{\"role\":1}]", "3:[{\"role\":2}]"}));
    EXPECT_EQ(shown("a.json", "[[{\"role\":1}],\n[{\"role\":2}]]\n").size(), 2u);
    EXPECT_EQ(shown("a.jsonl", "[broken\n{\"a\":1}\n"), (Shown{"1:[broken", "2:{\"a\":1}"}));
    EXPECT_EQ(shown("a.json", "[\n{\"a\":1},\n{\"a\":2}\n]\n").size(), 2u);
    EXPECT_EQ(shown("a.json", "[ {\"a\":1},\n{\"a\":2}]\n").size(), 2u);
}

TEST_F(Rows, countsNoElementBehindAListsLastComma) {
    EXPECT_EQ(shown("a.json", "[{\"a\":1},\n]\n"), (Shown{R"(1:{"a":1})"}));
    EXPECT_EQ(shown("a.json", R"({"data": [{"a":1}, ], "test": [{"a":2}]})"),
              (Shown{R"(1:{"a":1})", "2!and others a"}));
    EXPECT_EQ(shown("a.json", R"([{"a":1},,{"a":2}])").size(), 3u);
}

TEST_F(Rows, keepsWhatComesBeforeABrokenEnd) {
    EXPECT_EQ(shown("a.json", R"([{"a":1},{"a":)"), (Shown{R"(1:{"a":1})", "2!is cut off: "}));
    EXPECT_EQ(shown("a.json", R"([{"a":1}] x)"), (Shown{"1!is followed "}));
}

TEST_F(Rows, namesTheRowThatIsNotUtf8) {
    const auto rows = read("a.jsonl", "{\"a\":\"\xC3\xA4\"}\n{\"a\":\"\xE4\"}\n{}\n");
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].problem.text(), "is not valid UTF-8: byte 0xe4 at position 7; save the file as UTF-8");
    EXPECT_EQ(rows[2].json, "{}");
}

TEST_F(Rows, readsAcrossItsBuffer) {
    std::string content;
    for (int i = 0; i < 5000; ++i)
        content += "{\"text\":\"" + std::string(static_cast<std::size_t>(i % 997), 'x') + "\"}\n";
    const auto rows = read("a.jsonl", content);
    ASSERT_EQ(rows.size(), 5000u);
    EXPECT_EQ(rows[4321].number, 4322);
    EXPECT_EQ(rows[4321].json.size(), 4321u % 997 + 11);
    std::string array = "[";
    for (const RawRow& row : rows)
        array += (array.size() > 1 ? "," : "") + row.json;
    const auto elements = read("a.json", array + "]");
    ASSERT_EQ(elements.size(), 5000u);
    for (std::size_t i = 0; i < rows.size(); ++i)
        ASSERT_EQ(elements[i].json, rows[i].json);
}

TEST_F(Rows, refusesWhatIsNoRowFile) {
    expectError(ErrorKind::kInvalidInput, {"empty.jsonl", "empty"}, [&] { read("empty.jsonl", " \n"); });
    expectError(ErrorKind::kInvalidInput, {"u.jsonl", "UTF-16"},
                [&] { read("u.jsonl", std::string("\xFF\xFE{\0", 4)); });
    expectError(ErrorKind::kInvalidInput, {"u.txt", "UTF-16"},
                [&] { read("u.txt", std::string("a\0b\0", 4)); }); // without a mark
    expectError(ErrorKind::kUnsupported, {"a.jsonl", "ZIP", "JSONL"}, [&] { read("a.jsonl", "PK\x03\x04"); });
    expectError(ErrorKind::kUnsupported, {"a.bin", "JSONL"}, [&] { read("a.bin", "x"); });
    expectError(ErrorKind::kInvalidInput, {"a.json", "one JSON object"}, [&] { read("a.json", "{\n \"a\": 1\n}\n"); });
    EXPECT_EQ(read("a.json", "{\n \"a\" 1\n}\n").size(), 1u); // whoever reads the row says where it is no JSON
    for (const char* start : {"PK\x03\x04\x14 [Content_Types].xml", "\xD0\xCF\x11\xE0\xA1\xB1"})
        expectError(ErrorKind::kUnsupported, {"a.csv", "workbook", "CSV in UTF-8"}, [&] { read("a.csv", start); });
    for (const char* name : {"a.jsonl", "a.parquet", "a.csv"})
        expectError(ErrorKind::kInvalidInput, {name, "Git LFS", "git lfs pull"},
                    [&] { read(name, "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"); });
    for (const char* name : {"a.jsonl", "a.json", "a.csv"})
        for (const char* page : {"<!DOCTYPE html>\n<html>404</html>\n", "\n <html lang=\"en\">\n"})
            expectError(ErrorKind::kInvalidInput, {name, "web page"}, [&] { read(name, page); });
    EXPECT_EQ(read("a.txt", "<html>\n").size(), 1u); // a text may be about pages
    for (const char* json : {"{\"text\": \"a\"}\n{\"text\": \"b\"}\n", "[\n  {\"text\": \"a\"}\n]\n"})
        expectError(ErrorKind::kInvalidInput, {"a.csv", "holds JSON", "says CSV", ".jsonl"},
                    [&] { read("a.csv", json); });
    EXPECT_EQ(read("a.csv", "{name},[note]\na,b\n").size(), 1u); // which are names of columns
    expectError(ErrorKind::kInvalidInput, {"a.txt", "empty"}, [&] { read("a.txt", "\n \n"); });
    expectError(ErrorKind::kIo, {"absent"}, [&] { openRows(m_folder.path() / "absent.jsonl"); });
    expectError(ErrorKind::kIo, {m_folder.path().string()}, [&] { openRows(m_folder.path()); });
}

TEST_F(Rows, namesTheRowThatHoldsAZeroByte) {
    const auto rows = read("a.jsonl", std::string("{\"a\":\"\0\"}\n{}\n", 13));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].problem.text(), "holds a zero byte at position 7, as binary files and UTF-16 do");
    EXPECT_EQ(rows[1].json, "{}");
}

TEST_F(Rows, refusesARowOverTheLimitAndGoesOn) {
    const auto rows = read("a.jsonl", "{\"a\":\"" + std::string((64 << 20) + 1, 'x') + "\"}\n{}\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].problem.text(), "is longer than 64 MiB: a row is an object on a line, or in a list");
    EXPECT_EQ(rows[1].json, "{}");
    EXPECT_EQ(rows[1].number, 2);
}

TEST_F(Rows, areNoneOfAFileOfOtherBytes) {
    std::string bytes;
    for (uint32_t i = 1, x = 7; i <= 20000; ++i)
        bytes += static_cast<char>((x = x * 1664525 + 1013904223) >> 24);
    for (const char* name : {"a.jsonl", "a.csv", "a.txt", "a.json"})
        expectError(ErrorKind::kInvalidInput, {name, "holds no text"}, [&] { read(name, bytes); });
    expectError(ErrorKind::kInvalidInput, {"a.jsonl.gz", "compressed or not", "fetch it again"},
                [&] { read("a.jsonl.gz", bytes); });
    // A text in another encoding, and one with colours of a terminal, are texts.
    EXPECT_EQ(read("b.jsonl", "{\"text\": \"\xE4\xF6\xFC\"}\n").size(), 1u);
    std::string coloured = "{\"text\": \"";
    for (int i = 0; i < 100; ++i)
        coloured += "\x1B[1m.";
    EXPECT_EQ(read("c.txt", coloured).size(), 1u);
}

} // namespace
} // namespace roundpipe::data
