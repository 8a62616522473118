// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/short_names.h"

#include <gtest/gtest.h>

namespace roundpipe {
namespace {

using Names = std::vector<std::string>;

Names namesOf(const Names& paths) {
    return shortNames(paths);
}

TEST(ShortNames, areTheLastOnesWhereTheseDiffer) {
    EXPECT_EQ(namesOf({"/data/a.jsonl", "b.jsonl", "x/c.jsonl"}), (Names{"a.jsonl", "b.jsonl", "c.jsonl"}));
    EXPECT_EQ(namesOf({}), Names{});
}

TEST(ShortNames, takeFoldersWhereTheyAreNeeded) {
    EXPECT_EQ(namesOf({"/data/a/rows.jsonl", "/data/b/rows.jsonl", "/c.jsonl"}),
              (Names{"a/rows.jsonl", "b/rows.jsonl", "c.jsonl"}));
    EXPECT_EQ(namesOf({"x/a/rows.jsonl", "y/a/rows.jsonl"}), (Names{"x/a/rows.jsonl", "y/a/rows.jsonl"}));
    EXPECT_EQ(namesOf({"rows.jsonl", "a/rows.jsonl", "/rows.jsonl"}),
              (Names{"rows.jsonl", "a/rows.jsonl", "/rows.jsonl"}));
    EXPECT_EQ(namesOf({"a/rows.jsonl", "a/rows.jsonl"}), (Names{"rows.jsonl", "rows.jsonl"}));
}

} // namespace
} // namespace roundpipe
