// SPDX-License-Identifier: GPL-3.0-or-later
#include "artifact/gguf/gguf_file.h"
#include "artifact/gguf/gguf_names.h"
#include "artifact/gguf/gguf_tokenizer.h"
#include "base/error.h"
#include "base/file.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <set>

namespace roundpipe::artifact {
namespace {

GgufHeader sample() {
    GgufHeader header;
    header.set("general.architecture", std::string("llama"));
    header.set("a.number", uint32_t{7});
    header.set("a.real", 0.5f);
    header.set("a.flag", true);
    header.set("a.list", std::vector<std::string>{"x", "", "\u2581y"});
    header.set("a.numbers", std::vector<int32_t>{-1, 2});
    header.tensors.push_back({"t", GgmlType::kF32, {2, 3}, 0});
    header.tensors.push_back({"u", GgmlType::kF16, {4}, 0});
    header.placeTensors();
    return header;
}

class GgufFileTest : public ::testing::Test {
protected:
    testing::TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "a.gguf";

    std::string content() {
        std::string text = sample().bytes();
        const float values[] = {1, 2, 3, 4, 5, 6};
        text.append(reinterpret_cast<const char*>(values), sizeof values);
        text.append(8, '\0');                                                // to 32 bytes
        text.append({'\0', '\x3c', '\0', '\x40', '\0', '\xc0', '\0', '\0'}); // 1, 2, -2, 0 in fp16
        return text;
    }
    std::string refusal(const std::string& text) {
        writeFileAtomically(path, text);
        try {
            GgufFile::open(path);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    }
};

TEST_F(GgufFileTest, comesBackAsItWasWritten) {
    writeFileAtomically(path, content());
    const GgufFile file = GgufFile::open(path);
    EXPECT_EQ(file.header().values, sample().values);
    std::vector<float> rows(3), halves(4);
    file.read(file.require("t"), 1, 1, rows);
    EXPECT_EQ(rows, (std::vector<float>{4, 5, 6}));
    file.read(file.require("u"), 0, 1, halves);
    EXPECT_EQ(halves, (std::vector<float>{1, 2, -2, 0}));
    EXPECT_THROW(file.require("v"), Error);
}

TEST_F(GgufFileTest, everyCutIsAnErrorThatNamesTheFile) {
    const std::string whole = content();
    for (std::size_t size = 0; size < whole.size(); size += 3)
        ASSERT_NE(refusal(whole.substr(0, size)).find("a.gguf"), std::string::npos) << size;
    EXPECT_EQ(refusal(whole), "accepted");
}

TEST(HeadOrder, isTheCheckpointsBackAndForth) {
    const HeadOrder order{8};
    // Half a head apart in the checkpoint (0 and 4), neighbours in GGUF.
    EXPECT_EQ(order.rowInCheckpoint(0), 0);
    EXPECT_EQ(order.rowInCheckpoint(1), 4);
    EXPECT_EQ(order.rowInCheckpoint(2), 1);
    EXPECT_EQ(order.rowInCheckpoint(8), 8);
    std::set<int64_t> rows;
    for (int64_t row = 0; row < 24; ++row) {
        EXPECT_EQ(order.rowInGguf(order.rowInCheckpoint(row)), row);
        rows.insert(order.rowInCheckpoint(row));
    }
    EXPECT_EQ(rows.size(), 24U);
    EXPECT_EQ(HeadOrder{}.rowInGguf(5), 5);
}

TEST(GgufTokenizer, generationBlocksBecomeConditionsAndBlanksStay) {
    EXPECT_EQ(withoutGenerationBlocks("a {%- generation -%} b {% endgeneration %} c {% if x %}"),
              "a {%- if true -%} b {% endif %} c {% if x %}");
    EXPECT_EQ(withoutGenerationBlocks("{% set generation = 1 %}"), "{% set generation = 1 %}");
}

} // namespace
} // namespace roundpipe::artifact
