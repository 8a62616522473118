// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/row_remark.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace roundpipe::session {
namespace {

TEST(RowRemark, saysItsArgumentsInTheirPlaces) {
    EXPECT_EQ(Remark().text(), "");
    EXPECT_TRUE(Remark().empty());
    EXPECT_EQ(Remark(RowRemark::kNoObject).text(), "is not a JSON object");
    EXPECT_EQ(Remark(RowRemark::kTooManyTokens, int64_t{512}, 256).text(), "has 512 tokens, more than 256");
    EXPECT_EQ(Remark(RowRemark::kMessageWeight, std::size_t{3}, "weight").text(),
              "has a message 3 whose 'weight' is neither 0 nor 1");
    EXPECT_EQ(Remark(RowRemark::kNoField, "%1 of %2").text(), "has no field '%1 of %2'"); // words are not read again
}

// Caches keep them by what they spell.
TEST(RowRemark, everyCodeSpellsAnother) {
    std::set<std::string> seen;
    for (const char* const spelling : spellings(RowRemark())) {
        ASSERT_NE(spelling, nullptr);
        EXPECT_TRUE(seen.insert(spelling).second) << spelling;
    }
    EXPECT_EQ(fromSpelling<RowRemark>("There is no trained token in the data."), RowRemark::kNoTrainedTokenAtAll);
    EXPECT_EQ(static_cast<std::size_t>(RowRemark::kRowsToLeaveOutGone) + 1, spellings(RowRemark()).size());
}

} // namespace
} // namespace roundpipe::session
