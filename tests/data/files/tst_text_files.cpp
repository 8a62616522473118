// SPDX-License-Identifier: GPL-3.0-or-later
#include "row_files.h"
#include "testing/expect_error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace roundpipe::data {
namespace {

class TextFiles : public ::testing::Test {
protected:
    // The passages; "+" stands behind one whose document goes on.
    std::vector<std::string> passages(const std::string& content) {
        std::vector<std::string> result;
        for (const RawRow& row : readAll(m_files.write("a.txt", content))) {
            EXPECT_EQ(row.number, static_cast<int64_t>(result.size()) + 1);
            if (!row.problem.empty()) {
                result.push_back("!" + row.problem.text());
                continue;
            }
            const auto json = nlohmann::json::parse(row.json);
            result.push_back(json["text"].get<std::string>() + (json.value("continues", false) ? "+" : ""));
        }
        return result;
    }
    using Passages = std::vector<std::string>;

    RowFiles m_files;
};

TEST_F(TextFiles, areOneDocumentEach) {
    EXPECT_EQ(passages("\xEF\xBB\xBF# Title\r\n\r\nOne.\r\nTwo.\r\n\r\n"), Passages{"# Title\n\nOne.\nTwo."});
}

TEST_F(TextFiles, endDocumentsAtSeparators) {
    EXPECT_EQ(passages("one\n<|endoftext|>\n\ntwo\n\fthree\n<|endoftext|>\n"), (Passages{"one", "two", "three"}));
    EXPECT_EQ(passages("a <|endoftext|> b\nc\n"), Passages{"a <|endoftext|> b\nc"});
}

TEST_F(TextFiles, cutLongDocumentsBehindAParagraphElseALineElseAWord) {
    const std::string half(2000, 'x');
    EXPECT_EQ(passages(half + "\n\n" + half + "\n" + half), (Passages{half + "+", half + "+", half}));
    const std::string word(500, 'y');
    const std::string words = word + " " + word + " " + word + " " + word + " " + word + " " + word; // 3005 bytes
    EXPECT_EQ(passages(words + " " + word), (Passages{words + "+", word}));
    EXPECT_EQ(passages(half + "\nshort\n\n" + half), (Passages{half + "\nshort+", half}));
}

TEST_F(TextFiles, neverCutACharacter) {
    std::string text;
    for (int i = 0; i < 3000; ++i)
        text += "\xE2\x82\xAC"; // 3072 is a multiple of 3: shift it by one
    std::string joined;
    for (std::string passage : passages("a" + text)) {
        ASSERT_NE(passage.front(), '!') << passage;
        if (passage.back() == '+') passage.pop_back();
        EXPECT_LE(passage.size(), 3072u);
        joined += passage;
    }
    EXPECT_EQ(joined, "a" + text);
}

TEST_F(TextFiles, loseNothingButBlanksBetweenPassages) {
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += "word" + std::to_string(i) + (i % 97 == 0 ? "\n\n" : i % 11 == 0 ? "\n" : " ");
    std::string joined;
    for (std::string passage : passages(text)) {
        if (passage.back() == '+') passage.pop_back();
        joined += passage;
    }
    const auto dense = [](std::string s) {
        std::erase_if(s, [](char c) { return c == ' ' || c == '\n'; });
        return s;
    };
    EXPECT_EQ(dense(joined), dense(text));
}

TEST_F(TextFiles, nameThePassageThatIsNotUtf8) {
    EXPECT_EQ(passages("one\n\ftw\xE4o\n\fthree"),
              (Passages{"one", "!is not valid UTF-8: byte 0xe4 at position 3; save the file as UTF-8", "three"}));
}

} // namespace
} // namespace roundpipe::data
