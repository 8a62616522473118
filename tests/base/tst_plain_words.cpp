// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_words.h"

#include <gtest/gtest.h>

namespace roundpipe {
namespace {

TEST(PlainWords, aShellTakesAnyTextForOneWord) {
    EXPECT_EQ(shellWord("./a/b-c_1.json"), "./a/b-c_1.json");
    EXPECT_EQ(shellWord("my run"), "'my run'");
    EXPECT_EQ(shellWord("it's $HOME"), "'it'\\''s $HOME'");
    EXPECT_EQ(shellWord(""), "''");
}

TEST(PlainWords, aNameHasLettersDigitsAndDashes) {
    EXPECT_EQ(plainName("Polly the parrot"), "polly-the-parrot");
    EXPECT_EQ(plainName(" Qwen3-1.7B \"quoted\" "), "qwen3-1-7b-quoted");
    EXPECT_EQ(plainName("\xe4\xbd\xa0"), "tuned");
    EXPECT_EQ(plainName(""), "tuned");
}

TEST(PlainWords, controlCharactersAreSeen) {
    EXPECT_TRUE(hasControlCharacters("a\nb"));
    EXPECT_TRUE(hasControlCharacters("\x1b[31m"));
    EXPECT_TRUE(hasControlCharacters("\x7f"));
    EXPECT_FALSE(hasControlCharacters("Größe 3, \"x\""));
}

} // namespace
} // namespace roundpipe
