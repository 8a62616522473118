// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/bytes_as_text.h"

#include <gtest/gtest.h>

#include <random>

namespace roundpipe {
namespace {

TEST(BytesAsText, utf8StaysAsItIs) {
    for (const char* text :
         {"", "rows.jsonl", "Café", "日本語", "\xef\xbb\xbf with a mark", "\U0001F600", "\U0010FF7F"}) {
        EXPECT_EQ(asText(text), text);
        EXPECT_EQ(bytesOf(text), text);
    }
    const std::string withZero("a\0b", 3);
    EXPECT_EQ(asText(withZero), withZero);
}

TEST(BytesAsText, aByteThatIsNoneBecomesAPrivateCharacter) {
    EXPECT_EQ(asText("Caf\xe9/rows"), "Caf\U0010FFE9/rows");
    EXPECT_EQ(asText("\x80"), "\U0010FF80");
    EXPECT_EQ(asText("\xff"), "\U0010FFFF");
    EXPECT_EQ(asText("\xe2\x82"), "\U0010FFE2\U0010FF82") << "half a character";
    EXPECT_EQ(asText("\xed\xa0\x80"), "\U0010FFED\U0010FFA0\U0010FF80") << "a surrogate";
    EXPECT_EQ(asText("\xc0\x80"), "\U0010FFC0\U0010FF80") << "longer than it need be";
    EXPECT_EQ(bytesOf("Caf\U0010FFE9/rows"), "Caf\xe9/rows");
}

TEST(BytesAsText, theseCharactersThemselvesComeBack) {
    for (const std::string text : {"\U0010FFE9", "a\U0010FF80b", "\U0010FFFF\xe9"})
        EXPECT_EQ(bytesOf(asText(text)), text);
}

TEST(BytesAsText, allBytesComeBack) {
    std::mt19937 random(1);
    // Those of which the rare cases are made.
    const std::string some = std::string("a\0", 2) + "\x80\xa0\xa9\xbe\xbf\xc3\xe2\x82\xed\xf0\xf4\x8f\x90\xff";
    for (int i = 0; i < 100'000; ++i) {
        std::string bytes;
        for (auto left = random() % 12; left > 0; --left)
            bytes += some[random() % some.size()];
        ASSERT_EQ(bytesOf(asText(bytes)), bytes);
        ASSERT_EQ(asText(bytesOf(asText(bytes))), asText(bytes));
    }
}

} // namespace
} // namespace roundpipe
