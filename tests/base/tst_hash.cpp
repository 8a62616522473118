// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.h"

#include <gtest/gtest.h>

namespace roundpipe {
namespace {

TEST(Hash, ofANameIsThePublishedFnv1a) {
    EXPECT_EQ(hashName(""), 0xCBF29CE484222325u);
    EXPECT_EQ(hashName("foobar"), 0x85944171F73967E8u);
    Fnv1a<uint32_t> hash;
    for (const unsigned char byte : {'f', 'o', 'o', 'b', 'a', 'r'})
        hash.add(byte);
    EXPECT_EQ(hash.value(), 0xBF9CF968u);
}

TEST(Hash, ofTwoNumbersStaysAsOrdersAndSplitsWereMadeWith) {
    EXPECT_EQ(mixed(0, 0), 0x9E0160293A33AAF7u);
    EXPECT_EQ(mixed(1, 2), 0xCC2A9C30D4D9E843u);
    EXPECT_EQ(mixed(7, ~uint64_t{0}), 0x18343DBD2D214101u);
}

} // namespace
} // namespace roundpipe
