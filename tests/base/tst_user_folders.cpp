// SPDX-License-Identifier: GPL-3.0-or-later
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

TEST(UserFolders, huggingFacesAreWhereItsToolsLook) {
    for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "HF_TOKEN_PATH", "XDG_CACHE_HOME"})
        ::unsetenv(variable);
    ::setenv("HOME", "/people/me", 1);
    EXPECT_EQ(huggingFaceCache(), "/people/me/.cache/huggingface/hub");
    EXPECT_EQ(huggingFaceTokenFile(), "/people/me/.cache/huggingface/token");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(huggingFaceCache(), "/people/me/.cache/huggingface/hub") << "as everything else reads it";
    ::setenv("XDG_CACHE_HOME", "/fast", 1);
    EXPECT_EQ(huggingFaceCache(), "/fast/huggingface/hub");
    ::setenv("HF_HOME", "~/hf", 1);
    EXPECT_EQ(huggingFaceCache(), "/people/me/hf/hub");
    EXPECT_EQ(huggingFaceTokenFile(), "/people/me/hf/token");
    ::setenv("HUGGINGFACE_HUB_CACHE", "/older", 1);
    EXPECT_EQ(huggingFaceCache(), "/older");
    ::setenv("HF_HUB_CACHE", "/hub", 1);
    EXPECT_EQ(huggingFaceCache(), "/hub");
    ::setenv("HF_TOKEN_PATH", "/secret/token", 1);
    EXPECT_EQ(huggingFaceTokenFile(), "/secret/token");
}

} // namespace
} // namespace roundpipe
