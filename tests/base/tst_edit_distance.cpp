// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/edit_distance.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace roundpipe {
namespace {

TEST(EditDistance, countsLettersInsertedDeletedAndReplaced) {
    EXPECT_EQ(editDistance("", ""), 0U);
    EXPECT_EQ(editDistance("plan", "plan"), 0U);
    EXPECT_EQ(editDistance("plann", "plan"), 1U);
    EXPECT_EQ(editDistance("pln", "plan"), 1U);
    EXPECT_EQ(editDistance("plam", "plan"), 1U);
    EXPECT_EQ(editDistance("kitten", "sitting"), 3U);
    EXPECT_EQ(editDistance("trian", "train"), 2U) << "two letters that changed places";
    EXPECT_EQ(editDistance("abc", "xyz"), 3U);
}

TEST(EditDistance, isAllOfAWordFromNothing) {
    for (const std::string word : {"a", "rank", "max-length"}) {
        EXPECT_EQ(editDistance(word, ""), word.size());
        EXPECT_EQ(editDistance("", word), word.size());
    }
}

TEST(EditDistance, isTheSameBothWays) {
    for (const auto& [a, b] : {std::pair("--max-lenght", "--max-length"), {"seed", "save"}, {"lora", "loraxyz"}})
        EXPECT_EQ(editDistance(a, b), editDistance(b, a)) << a << " and " << b;
}

} // namespace
} // namespace roundpipe
