// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/utf8.h"

#include <gtest/gtest.h>

namespace roundpipe::text {
namespace {

TEST(Utf8, findsTheFirstInvalidByte) {
    EXPECT_EQ(firstInvalidUtf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), std::nullopt);
    EXPECT_EQ(firstInvalidUtf8("ab\x80"), 2u);           // a continuation alone
    EXPECT_EQ(firstInvalidUtf8("\xC0\xAF"), 0u);         // overlong
    EXPECT_EQ(firstInvalidUtf8("\xE0\x80\xAF"), 0u);     // overlong
    EXPECT_EQ(firstInvalidUtf8("a\xED\xA0\x80"), 1u);    // a surrogate
    EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0u); // beyond Unicode
    EXPECT_EQ(firstInvalidUtf8("a\xE2\x82"), 1u);        // cut off
    EXPECT_EQ(firstInvalidUtf8("\xF0\x9F\x98\x41"), 0u);
}

} // namespace
} // namespace roundpipe::text
