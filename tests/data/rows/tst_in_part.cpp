// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/in_part.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

TEST(InPart, keepsWhatIsShortAndWholeCharacters) {
    EXPECT_EQ(inPart("four", 4), "four");
    EXPECT_EQ(inPart("fives", 4), "five…");
    EXPECT_EQ(inPart("a日本", 4), "a日…") << "not in the middle of a character";
    EXPECT_EQ(inPart("a日本", 3), "a…");
    EXPECT_EQ(inPartOnOneLine(" one\r\n\ttwo  three ", 10), "one two th…");
    EXPECT_EQ(inPartOnOneLine("\n"), "");
}

} // namespace
} // namespace roundpipe::data
