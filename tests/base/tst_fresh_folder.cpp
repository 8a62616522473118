// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fresh_folder.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

namespace roundpipe {
namespace {

namespace fs = std::filesystem;

TEST(FreshFolder, isNamedAfterTheNameAndIsNotThereYet) {
    const testing::TemporaryFolder folder;
    EXPECT_EQ(freshFolder(folder.path(), "My run"), folder.path() / "My run");
    EXPECT_FALSE(fs::exists(folder.path() / "My run"));
    fs::create_directory(folder.path() / "My run");
    fs::create_directory(folder.path() / "My run 2");
    EXPECT_EQ(freshFolder(folder.path(), "My run"), folder.path() / "My run 3");
}

TEST(FreshFolder, staysWithinItsParentWhateverTheName) {
    EXPECT_EQ(freshFolder("/nowhere", "../a/b:c\\d\n"), "/nowhere/-a-b-c-d-");
    EXPECT_EQ(freshFolder("/nowhere", "..."), "/nowhere/unnamed");
    EXPECT_EQ(freshFolder("/nowhere", ""), "/nowhere/unnamed");
}

} // namespace
} // namespace roundpipe
