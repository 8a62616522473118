// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/conversation.h"
#include "data/rows/json/json_text.h"
#include "row_files.h"
#include "testing/expect_error.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

namespace roundpipe::data {
namespace {

using testing::expectError;

class Parquet : public ::testing::Test {
protected:
    static std::shared_ptr<arrow::Array> texts(const std::vector<std::string>& values) {
        arrow::StringBuilder builder;
        EXPECT_TRUE(builder.AppendValues(values).ok());
        return *builder.Finish();
    }
    std::filesystem::path write(const std::shared_ptr<arrow::Table>& table, int64_t rowsPerGroup = 1 << 20) const {
        const auto path = m_files.folder() / "a.parquet";
        const auto file = *arrow::io::FileOutputStream::Open(path);
        EXPECT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file, rowsPerGroup).ok());
        EXPECT_TRUE(file->Close().ok());
        return path;
    }
    std::filesystem::path writeNumbers(int count, int64_t rowsPerGroup) const {
        std::vector<std::string> values;
        for (int i = 0; i < count; ++i)
            values.push_back("text " + std::to_string(i));
        return write(arrow::Table::Make(arrow::schema({arrow::field("text", arrow::utf8())}), {texts(values)}),
                     rowsPerGroup);
    }

    RowFiles m_files;
};

TEST_F(Parquet, makesObjectsOfNestedColumns) {
    arrow::Int64Builder numbers;
    ASSERT_TRUE(numbers.Append(7).ok() && numbers.AppendNull().ok());
    auto content = std::make_shared<arrow::StringBuilder>();
    auto role = std::make_shared<arrow::StringBuilder>();
    const auto message = arrow::struct_({arrow::field("role", arrow::utf8()), arrow::field("content", arrow::utf8())});
    auto item = std::make_shared<arrow::StructBuilder>(
        message, arrow::default_memory_pool(), std::vector<std::shared_ptr<arrow::ArrayBuilder>>{role, content});
    arrow::ListBuilder list(arrow::default_memory_pool(), item);
    for (const char* text : {"Hi", "Ho"}) {
        ASSERT_TRUE(list.Append().ok() && item->Append().ok());
        ASSERT_TRUE(role->Append("user").ok() && content->Append(text).ok());
    }
    const auto path = write(arrow::Table::Make(
        arrow::schema({arrow::field("messages", arrow::list(message)), arrow::field("n", arrow::int64())}),
        {*list.Finish(), *numbers.Finish()}));
    const auto rows = readAll(path);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].json, R"({"messages":[{"role":"user","content":"Hi"}],"n":7})");
    EXPECT_EQ(rows[1].json, R"({"messages":[{"role":"user","content":"Ho"}],"n":null})");
    EXPECT_EQ(rows[1].number, 2);
}

// A table gives every struct the fields of all. A call that has none of them would be trained with "b": null.
TEST_F(Parquet, leavesOutFieldsThatAStructLacks) {
    const auto arguments = arrow::struct_({arrow::field("a", arrow::int64()), arrow::field("b", arrow::utf8())});
    auto a = std::make_shared<arrow::Int64Builder>();
    auto b = std::make_shared<arrow::StringBuilder>();
    arrow::StructBuilder calls(arguments, arrow::default_memory_pool(), {a, b});
    ASSERT_TRUE(calls.Append().ok() && a->Append(1).ok() && b->AppendNull().ok());
    ASSERT_TRUE(calls.Append().ok() && a->AppendNull().ok() && b->Append("x").ok());
    const auto rows =
        readAll(write(arrow::Table::Make(arrow::schema({arrow::field("arguments", arguments)}), {*calls.Finish()})));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].json, R"({"arguments":{"a":1}})");
    EXPECT_EQ(rows[1].json, R"({"arguments":{"b":"x"}})");
}

// 64 bits as numbers, decimals as text, and what calls hold of any length in the JSON of a text cell.
TEST_F(Parquet, keepsTheDigitsOfLongNumbers) {
    const std::string decimal = "-12345678901234567890123456789012345678", longer = decimal + "901234567890";
    arrow::UInt64Builder most;
    arrow::Int64Builder least;
    arrow::Decimal128Builder exact(arrow::decimal128(38, 0));
    ASSERT_TRUE(most.Append(UINT64_MAX).ok() && least.Append(INT64_MIN).ok());
    ASSERT_TRUE(exact.Append(*arrow::Decimal128::FromString(decimal)).ok());
    const std::string messages =
        R"([{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"type":"function",)"
        R"("function":{"name":"f","arguments":{"x":)" +
        longer + "}}}]}]";
    const auto rows = readAll(write(arrow::Table::Make(
        arrow::schema({arrow::field("most", arrow::uint64()), arrow::field("least", arrow::int64()),
                       arrow::field("exact", arrow::decimal128(38, 0)), arrow::field("messages", arrow::utf8())}),
        {*most.Finish(), *least.Finish(), *exact.Finish(), texts({messages})})));
    ASSERT_EQ(rows.size(), 1u);
    const Json row = parseRow(rows[0].json);
    EXPECT_EQ(jsonText(row["most"]), "18446744073709551615");
    EXPECT_EQ(jsonText(row["least"]), "-9223372036854775808");
    EXPECT_EQ(row["exact"], decimal);
    EXPECT_EQ(jsonText(conversationOf(row, DataFormat::kMessages).messages), messages);
}

// An object would keep one of them, and nobody would know which.
TEST_F(Parquet, refusesTwoColumnsOfOneName) {
    const auto text = arrow::field("text", arrow::utf8());
    const auto rows =
        readAll(write(arrow::Table::Make(arrow::schema({text, text}), {texts({"a", "b"}), texts({"c", "d"})})));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].problem.text(), "and 1 after it cannot be read: two of its columns are called 'text'; give each "
                                      "a name of its own");
    const auto inside = *arrow::StructArray::Make({texts({"a"}), texts({"c"})}, {text, text});
    const auto nested =
        readAll(write(arrow::Table::Make(arrow::schema({arrow::field("message", inside->type())}), {inside})));
    ASSERT_EQ(nested.size(), 1u);
    EXPECT_NE(nested[0].problem.text().find("two of its columns are called 'text'"), std::string::npos);
}

TEST_F(Parquet, losesOneRowToACellThatIsNotUtf8) {
    const auto rows = readAll(
        write(arrow::Table::Make(arrow::schema({arrow::field("text", arrow::utf8())}), {texts({"a", "b\xE4", "c"})})));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].problem.text(), "is not valid UTF-8: byte 0xe4 at position 2 of column 'text'");
    EXPECT_EQ(rows[2].json, R"({"text":"c"})");
}

TEST_F(Parquet, losesOneRowGroupToDamage) {
    const auto path = writeNumbers(3000, 1000);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(0, std::ios::end);
    const auto size = static_cast<std::streamoff>(file.tellg());
    file.seekp(size * 2 / 5); // within the second group's page
    file << std::string(40, '\xFF');
    file.close();
    const auto rows = readAll(path);
    std::string problems;
    for (const RawRow& row : rows)
        if (!row.problem.empty()) problems += std::to_string(row.number) + " " + row.problem.text();
    EXPECT_NE(problems.find("after it cannot be read"), std::string::npos) << problems;
    EXPECT_EQ(rows.front().json, R"({"text":"text 0"})");
    EXPECT_EQ(rows.back().number, 3000);
    EXPECT_EQ(rows.back().json, R"({"text":"text 2999"})");
    EXPECT_LT(rows.size(), 2500u);
}

// Forty rows of one text of 8 MB, packed into a few thousand bytes.
TEST_F(Parquet, losesWhatUnpacksToHundredsOfMegabytes) {
    arrow::Int32Builder rows;
    ASSERT_TRUE(rows.AppendValues(std::vector<int32_t>(40, 0)).ok());
    const auto type = arrow::dictionary(arrow::int32(), arrow::utf8());
    const auto column = *arrow::DictionaryArray::FromArrays(type, *rows.Finish(), texts({std::string(8'000'000, 'a')}));
    const auto table = arrow::Table::Make(arrow::schema({arrow::field("text", type)}), {column});
    const auto path = m_files.folder() / "bomb.parquet";
    const auto file = *arrow::io::FileOutputStream::Open(path);
    ASSERT_TRUE(
        parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file, 1000,
                                   parquet::WriterProperties::Builder().compression(arrow::Compression::ZSTD)->build())
            .ok());
    ASSERT_TRUE(file->Close().ok());
    EXPECT_LT(std::filesystem::file_size(path), 10'000u);
    const auto read = readAll(path);
    ASSERT_EQ(read.size(), 1u);
    EXPECT_NE(read[0].problem.text().find("unpacks to more than a file of its size"), std::string::npos)
        << read[0].problem.text();
}

TEST_F(Parquet, refusesWhatIsCutOffAndWhatIsNone) {
    const auto path = writeNumbers(10, 10);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
    expectError(ErrorKind::kInvalidInput, {"a.parquet", "cut off"}, [&] { readAll(path); });
    expectError(ErrorKind::kInvalidInput, {"b.parquet", "empty"}, [&] { readAll(m_files.write("b.parquet", "")); });
    expectError(ErrorKind::kInvalidInput, {"c.parquet", "no Parquet file", "ending of what it holds"},
                [&] { readAll(m_files.write("c.parquet", "{\"text\": \"a\"}\n")); });
    expectError(ErrorKind::kInvalidInput, {"d.jsonl", "cut off"},
                [&] { readAll(m_files.write("d.jsonl", "PAR1 abc")); });
    expectError(ErrorKind::kIo, {"absent.parquet"}, [&] { readAll(m_files.folder() / "absent.parquet"); });
}

TEST_F(Parquet, readsTheVerlFixture) {
    RP_REQUIRE_FIXTURES();
    const auto rows = readAll(testing::fixtures() / "datasets" / "gsm8k_test_verl.parquet");
    ASSERT_EQ(rows.size(), 1319u);
    for (const RawRow& row : rows)
        ASSERT_EQ(row.problem.text(), "") << row.number;
    EXPECT_NE(rows[0].json.find(R"("prompt":[{"content":"Janet)"), std::string::npos) << rows[0].json;
    EXPECT_NE(rows[0].json.find(R"("reward_model":{"ground_truth":"18","style":"rule"})"), std::string::npos);
}

} // namespace
} // namespace roundpipe::data
