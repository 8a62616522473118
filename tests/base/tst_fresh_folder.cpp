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

TEST(FreshFolder, isNamedByTheFirstOfALongName) {
    std::string name = "x";
    for (int i = 0; i < 100; ++i)
        name += "\u6a21"; // three bytes
    const fs::path folder = freshFolder("/nowhere", name);
    EXPECT_EQ(folder.filename().string(), name.substr(0, 199));
    EXPECT_EQ(freshFile("/nowhere", name, ".json").filename().string(), name.substr(0, 199) + ".json");
    EXPECT_EQ(firstOfName("short", 5), "short");
    EXPECT_EQ(firstOfName("short", 4), "shor");
}

} // namespace
} // namespace roundpipe
