#include "base/user_folders.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace roundpipe {
namespace {

TEST(UserFolders, areWhereTheVariableSaysIfItIsAbsolute) {
    ::setenv("HOME", "/people/me", 1);
    ::setenv("XDG_CACHE_HOME", "/fast", 1);
    ::setenv("XDG_DATA_HOME", "/large", 1);
    ::setenv("XDG_CONFIG_HOME", "/small", 1);
    EXPECT_EQ(userCacheFolder(), "/fast/roundpipe");
    EXPECT_EQ(userDataFolder(), "/large/roundpipe");
    EXPECT_EQ(userConfigFolder(), "/small/roundpipe");
    for (const char* ignored : {"", "relative"}) {
        ::setenv("XDG_CACHE_HOME", ignored, 1);
        ::setenv("XDG_DATA_HOME", ignored, 1);
        ::setenv("XDG_CONFIG_HOME", ignored, 1);
        EXPECT_EQ(userCacheFolder(), "/people/me/.cache/roundpipe");
        EXPECT_EQ(userDataFolder(), "/people/me/.local/share/roundpipe");
        EXPECT_EQ(userConfigFolder(), "/people/me/.config/roundpipe");
    }
}

TEST(UserFolders, whatSetUpFetchedIsWhereItsOwnVariableSays) {
    ::setenv("XDG_CACHE_HOME", "/fast", 1);
    ::setenv("ROUNDPIPE_CACHE", "/large/disk", 1);
    EXPECT_EQ(setUpFolder(), "/large/disk");
    EXPECT_EQ(userCacheFolder(), "/fast/roundpipe");
    ::unsetenv("ROUNDPIPE_CACHE");
    EXPECT_EQ(setUpFolder(), "/fast/roundpipe");
}

} // namespace
} // namespace roundpipe
