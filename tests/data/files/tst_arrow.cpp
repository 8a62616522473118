// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/files/row_index.h"
#include "row_files.h"
#include "testing/expect_error.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

using testing::expectError;

enum class Layout { kStream, kFile };

std::shared_ptr<arrow::Array> texts(const std::vector<std::string>& values) {
    arrow::StringBuilder builder;
    EXPECT_TRUE(builder.AppendValues(values).ok());
    return *builder.Finish();
}

template <class Builder>
std::shared_ptr<arrow::Array> numbers(const std::vector<typename Builder::value_type>& values) {
    Builder builder;
    EXPECT_TRUE(builder.AppendValues(values).ok());
    return *builder.Finish();
}

class ArrowFiles : public ::testing::Test {
protected:
    // One batch after another, as they are.
    std::filesystem::path write(const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches, Layout layout,
                                const std::string& name = "a.arrow",
                                const arrow::ipc::IpcWriteOptions& options = {}) const {
        const auto path = m_files.folder() / name;
        const auto file = *arrow::io::FileOutputStream::Open(path);
        const auto schema = batches.front()->schema();
        const auto writer = layout == Layout::kStream ? *arrow::ipc::MakeStreamWriter(file, schema, options)
                                                      : *arrow::ipc::MakeFileWriter(file, schema, options);
        for (const auto& batch : batches)
            EXPECT_TRUE(writer->WriteRecordBatch(*batch).ok());
        EXPECT_TRUE(writer->Close().ok() && file->Close().ok());
        return path;
    }
    static std::vector<std::shared_ptr<arrow::RecordBatch>> numbered(int numBatches, int rowsInEach) {
        std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
        for (int b = 0, number = 0; b < numBatches; ++b) {
            std::vector<std::string> values;
            for (int i = 0; i < rowsInEach; ++i)
                values.push_back("text " + std::to_string(number++));
            batches.push_back(arrow::RecordBatch::Make(arrow::schema({arrow::field("text", arrow::utf8())}), rowsInEach,
                                                       {texts(values)}));
        }
        return batches;
    }

    RowFiles m_files;
};

TEST_F(ArrowFiles, areReadAsStreamAndAsFileWhateverTheirName) {
    const auto batches = numbered(5, 7);
    for (const Layout layout : {Layout::kStream, Layout::kFile})
        for (const char* name : {"a.arrow", "a.feather", "rows"}) {
            SCOPED_TRACE(name);
            const auto path = write(batches, layout, name);
            EXPECT_EQ(examineFile(path).kind, FileKind::kArrow);
            const auto rows = readAll(path);
            ASSERT_EQ(rows.size(), 35u);
            for (int i = 0; i < 35; ++i) {
                const RawRow& row = rows[static_cast<std::size_t>(i)];
                EXPECT_EQ(row.number, i + 1);
                EXPECT_EQ(row.json, R"({"text":"text )" + std::to_string(i) + "\"}");
            }
            EXPECT_STREQ(openRows(path)->unit(), "row");
        }
}

TEST_F(ArrowFiles, giveAnyRowAtOnce) {
    for (const Layout layout : {Layout::kStream, Layout::kFile}) {
        const RowIndex index(write(numbered(20, 50), layout));
        EXPECT_TRUE(index.progress().isDone);
        EXPECT_EQ(index.progress().lastNumber, 1000);
        for (const int64_t number : {1000, 1, 51, 50, 730}) {
            const auto rows = index.rows(number, 3);
            ASSERT_EQ(rows.size(), number == 1000 ? 1u : 3u);
            EXPECT_EQ(rows[0].number, number);
            EXPECT_EQ(rows[0].json, R"({"text":"text )" + std::to_string(number - 1) + "\"}");
        }
    }
}

TEST_F(ArrowFiles, makeObjectsOfNestedAndCodedColumns) {
    auto content = std::make_shared<arrow::StringBuilder>();
    auto role = std::make_shared<arrow::StringBuilder>();
    const auto message = arrow::struct_({arrow::field("role", arrow::utf8()), arrow::field("content", arrow::utf8())});
    auto item = std::make_shared<arrow::StructBuilder>(
        message, arrow::default_memory_pool(), std::vector<std::shared_ptr<arrow::ArrayBuilder>>{role, content});
    arrow::ListBuilder list(arrow::default_memory_pool(), item);
    arrow::StringDictionaryBuilder kinds;
    for (const char* text : {"Hi", "Ho"}) {
        ASSERT_TRUE(list.Append().ok() && item->Append().ok());
        ASSERT_TRUE(role->Append("user").ok() && content->Append(text).ok() && kinds.Append("chat").ok());
    }
    const std::shared_ptr<arrow::Array> messages = *list.Finish(), kind = *kinds.Finish();
    const auto schema = arrow::schema({arrow::field("messages", messages->type()), arrow::field("kind", kind->type())});
    const auto batch = arrow::RecordBatch::Make(schema, 2, {messages, kind});
    for (const Layout layout : {Layout::kStream, Layout::kFile}) {
        const auto rows = readAll(write({batch, batch}, layout));
        ASSERT_EQ(rows.size(), 4u);
        EXPECT_EQ(rows[1].json, R"({"messages":[{"role":"user","content":"Ho"}],"kind":"chat"})");
        EXPECT_EQ(rows[3].json, rows[1].json);
    }
}

TEST_F(ArrowFiles, thatAreCutOffHaveTheRowsBefore) {
    for (const Layout layout : {Layout::kStream, Layout::kFile}) {
        const auto path = write(numbered(4, 100), layout);
        const auto size = std::filesystem::file_size(path);
        std::filesystem::resize_file(path, size * 5 / 8); // within the third batch
        const auto rows = readAll(path);
        ASSERT_EQ(rows.size(), 201u);
        EXPECT_EQ(rows[199].json, R"({"text":"text 199"})");
        EXPECT_NE(rows[200].problem.text().find("cut off"), std::string::npos) << rows[200].problem.text();
        const RowIndex index(path);
        EXPECT_EQ(index.rows(200, 5).size(), 2u);
    }
}

// A batch whose offsets lead out of it.
TEST_F(ArrowFiles, thatAreDamagedLoseABatch) {
    const auto batches = numbered(3, 50);
    const auto path = write(batches, Layout::kStream);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const std::size_t text = bytes.find("text 50text 51"); // of the second batch; its offsets lie before
    ASSERT_NE(text, std::string::npos);
    file.seekp(static_cast<std::streamoff>(text - 64));
    file << std::string(16, '\x7F');
    file.close();
    const auto rows = readAll(path);
    ASSERT_EQ(rows.size(), 101u);
    EXPECT_EQ(rows[50].number, 51);
    EXPECT_NE(rows[50].problem.text().find("and 49 after it cannot be read"), std::string::npos);
    EXPECT_EQ(rows[100].json, R"({"text":"text 149"})");
}

// In a column of texts, a struct, a list, and behind a code: the row that has it is named, all others are read.
TEST_F(ArrowFiles, loseARowToATextThatIsNotUtf8) {
    const std::string latin = "caf\xE9";
    const auto plain = texts({"a", latin, "c", "d", "e", "f"});
    const auto inStruct = texts({"a", "b", latin, "d", "e", "f"});
    const auto members = *arrow::StructArray::Make({inStruct}, std::vector<std::string>{"said"});
    const auto list = *arrow::ListArray::FromArrays(*numbers<arrow::Int32Builder>({0, 1, 2, 3, 4, 5, 6}),
                                                    *texts({"a", "b", "c", latin, "e", "f"}));
    const auto codes = numbers<arrow::Int8Builder>({0, 0, 0, 0, 1, 0});
    const auto coded = *arrow::DictionaryArray::FromArrays(codes, texts({"well", latin}));
    const auto schema = arrow::schema({arrow::field("plain", plain->type()), arrow::field("struct", members->type()),
                                       arrow::field("list", list->type()), arrow::field("coded", coded->type())});
    const auto batch = arrow::RecordBatch::Make(schema, 6, {plain, members, list, coded});
    for (const Layout layout : {Layout::kStream, Layout::kFile}) {
        const auto rows = readAll(write({batch}, layout));
        ASSERT_EQ(rows.size(), 6u);
        EXPECT_EQ(rows[0].json, R"({"plain":"a","struct":{"said":"a"},"list":["a"],"coded":"well"})");
        const char* columns[] = {"plain", "struct.said", "list", "coded"};
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(rows[i + 1].problem.text(),
                      std::string("is not valid UTF-8: byte 0xe9 at position 4 of column '") + columns[i] + "'");
        EXPECT_EQ(rows[5].json, R"({"plain":"f","struct":{"said":"f"},"list":["f"],"coded":"well"})");
    }
}

TEST_F(ArrowFiles, areRefusedWhereTheyAreNone) {
    expectError(ErrorKind::kInvalidInput, {"b.arrow", "empty"}, [&] { readAll(m_files.write("b.arrow", "")); });
    expectError(ErrorKind::kInvalidInput, {"c.arrow", "no Arrow file", "ending of what it holds"},
                [&] { readAll(m_files.write("c.arrow", "{\"text\": \"a\"}\n")); });
    expectError(ErrorKind::kInvalidInput, {"d.arrow", "cannot be read as Arrow"}, [&] {
        readAll(m_files.write("d.arrow", "\xFF\xFF\xFF\xFF"
                                         "0000 and so on"));
    });
    expectError(ErrorKind::kInvalidInput, {"e.arrow", "cannot be read as Arrow"},
                [&] { readAll(m_files.write("e.arrow", "ARROW1")); });
}

} // namespace
} // namespace roundpipe::data
