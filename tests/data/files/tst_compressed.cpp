// SPDX-License-Identifier: GPL-3.0-or-later
#include "row_files.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace roundpipe::data {
namespace {

using testing::expectError;

std::string gzip(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string zstd(const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
}

std::string line(uint32_t i) {
    return "{\"row\":" + std::to_string(i * 2654435761u) + "}\n";
}

std::string lines(uint32_t count) {
    std::string text;
    for (uint32_t i = 0; i < count; ++i)
        text += line(i);
    return text;
}

using Pack = std::string (*)(const std::string&);

class Compressed : public ::testing::TestWithParam<std::pair<const char*, Pack>> {
protected:
    std::vector<RawRow> read(const std::string& name, const std::string& packed) {
        return readAll(m_files.write(name + GetParam().first, packed));
    }
    std::string pack(const std::string& text) const { return GetParam().second(text); }

    RowFiles m_files;
};

TEST_P(Compressed, readsWhatThePlainFileHolds) {
    const std::string text = lines(300000); // several buffers
    const auto plain = readAll(m_files.write("a.jsonl", text));
    const auto packed = read("a.jsonl", pack(text));
    ASSERT_EQ(packed.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        ASSERT_EQ(packed[i].json, plain[i].json);
        ASSERT_EQ(packed[i].number, plain[i].number);
    }
}

TEST_P(Compressed, readsEveryKindOfText) {
    EXPECT_EQ(read("a.json", pack("[1,2]")).size(), 2u);
    EXPECT_EQ(read("a.csv", pack("a,b\n1,\"x\ny\"\n")).at(0).json, R"({"a":"1","b":"x\ny"})");
    EXPECT_EQ(read("a.tsv", pack("a\tb\n1\t2\n")).at(0).json, R"({"a":"1","b":"2"})");
    EXPECT_EQ(read("a.txt", pack("Hello\n")).at(0).json, R"({"text":"Hello"})");
    EXPECT_EQ(readAll(m_files.write("named.jsonl", pack("{}\n"))).size(), 1u); // by its bytes, not by its name
}

TEST_P(Compressed, readsMembersOneAfterAnother) {
    const auto rows = read("a.jsonl", pack("{\"a\":1}\n{\"a\"") + pack(":2}\n") + pack("") + pack("{\"a\":3}"));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].json, "{\"a\":2}");
    EXPECT_EQ(rows[2].json, "{\"a\":3}");
}

TEST_P(Compressed, keepsTheRowsBeforeWhereItIsCutOff) {
    const std::string packed = pack(lines(300000));
    const auto rows = read("a.jsonl", packed.substr(0, packed.size() / 2));
    ASSERT_GT(rows.size(), 1000u);
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        ASSERT_EQ(rows[i].problem.text(), "");
        ASSERT_EQ(rows[i].number, static_cast<int64_t>(i) + 1);
    }
    EXPECT_EQ(rows.back().number, static_cast<int64_t>(rows.size()));
    EXPECT_NE(rows.back().problem.text().find("cut off"), std::string::npos) << rows.back().problem.text();
}

TEST_P(Compressed, keepsTheRowsBeforeTheDamage) {
    std::string packed = pack(lines(300000));
    for (std::size_t i = 0; i < 64; ++i)
        packed[packed.size() / 2 + i] = static_cast<char>(i * 37);
    const auto rows = read("a.jsonl", packed);
    ASSERT_GT(rows.size(), 1000u);
    EXPECT_EQ(rows[1000].json + "\n", line(1000));
    EXPECT_NE(rows.back().problem.text().find("damaged"), std::string::npos) << rows.back().problem.text();
}

TEST_P(Compressed, refusesAFileThatEndsAtOnce) {
    expectError(ErrorKind::kInvalidInput, {"a.jsonl", "cut off"},
                [&] { read("a.jsonl", pack(lines(9)).substr(0, 6)); });
    expectError(ErrorKind::kInvalidInput, {"a.jsonl", "empty"}, [&] { read("a.jsonl", pack("")); });
}

INSTANTIATE_TEST_SUITE_P(All, Compressed,
                         ::testing::Values(std::pair<const char*, Pack>{".gz", gzip},
                                           std::pair<const char*, Pack>{".zst", zstd}),
                         [](const auto& tested) { return std::string(tested.param.first + 1); });

} // namespace
} // namespace roundpipe::data
