// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "hub/about/hub_settings.h"
#include "testing/expect_error.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace roundpipe::hub {
namespace {

using testing::expectError;

constexpr const char* kVariables[] = {"HF_ENDPOINT",  "HF_HUB_OFFLINE",        "TRANSFORMERS_OFFLINE",
                                      "HF_TOKEN",     "HF_TOKEN_PATH",         "HF_HOME",
                                      "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "XDG_CACHE_HOME"};

// A user with nothing set and an empty home.
class OfUser : public ::testing::Test {
protected:
    OfUser() {
        for (const char* const variable : kVariables)
            ::unsetenv(variable);
        ::setenv("HOME", home.path().c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", (home.path() / "config").c_str(), 1);
    }
    void write(const char* path, const char* content) const {
        std::filesystem::create_directories((home.path() / path).parent_path());
        writeFileAtomically(home.path() / path, content);
    }
    testing::TemporaryFolder home;
};
using HubSettingsOfUser = OfUser;

TEST_F(HubSettingsOfUser, areTheHubItselfAndTheCacheOfItsTools) {
    const session::HubAbout about = HubSettings::ofUser().about();
    EXPECT_EQ(about.host, "huggingface.co");
    EXPECT_EQ(about.cache, (home.path() / ".cache/huggingface/hub").string());
    EXPECT_EQ(about.tokenFrom, "");
    EXPECT_FALSE(about.isOffline);
}

TEST_F(HubSettingsOfUser, takeAMirrorByItsAddress) {
    ::setenv("HF_ENDPOINT", "https://mirror.example:8443/hub/", 1);
    EXPECT_EQ(HubSettings::ofUser().endpoint, "https://mirror.example:8443/hub");
    EXPECT_EQ(HubSettings::ofUser().host(), "mirror.example:8443");
    EXPECT_EQ(HubSettings::ofUser().pageOf(parseHubName("a/b", HubKind::kDataset)),
              "https://mirror.example:8443/hub/datasets/a/b");
    for (const char* const bad : {"mirror.example", "ftp://x", "file:///etc", "https://", "https://me:secret@x"}) {
        ::setenv("HF_ENDPOINT", bad, 1);
        expectError(ErrorKind::kInvalidInput, {"HF_ENDPOINT"}, [] { HubSettings::ofUser(); });
    }
}

TEST_F(HubSettingsOfUser, findTheTokenWhereItsToolsKeepIt) {
    write(".cache/huggingface/token", "hf_of_cache\n");
    EXPECT_EQ(HubSettings::ofUser().token.secret(), "hf_of_cache");
    EXPECT_EQ(HubSettings::ofUser().about().tokenFrom, (home.path() / ".cache/huggingface/token").string());
    write("hf/token", " hf_of_home ");
    ::setenv("HF_HOME", (home.path() / "hf").c_str(), 1);
    EXPECT_EQ(HubSettings::ofUser().token.secret(), "hf_of_home");
    write("elsewhere", "hf_of_path");
    ::setenv("HF_TOKEN_PATH", "~/elsewhere", 1);
    EXPECT_EQ(HubSettings::ofUser().token.secret(), "hf_of_path");
    ::setenv("HF_TOKEN", "hf_of_variable", 1);
    EXPECT_EQ(HubSettings::ofUser().token.secret(), "hf_of_variable");
    EXPECT_EQ(HubSettings::ofUser().token.from(), "HF_TOKEN");
    ::setenv("HF_TOKEN", "hf_a\nX-Header: b", 1);
    expectError(ErrorKind::kInvalidInput, {"'HF_TOKEN'", "no token"}, [] { HubSettings::ofUser(); });
}

TEST_F(HubSettingsOfUser, stayOfflineWhereTheUserSaysSo) {
    saveOffline(true);
    EXPECT_TRUE(HubSettings::ofUser().offline);
    EXPECT_EQ(HubSettings::ofUser().offlineFrom, (home.path() / "config/roundpipe/hub.json").string());
    ::setenv("HF_HUB_OFFLINE", "0", 1);
    EXPECT_FALSE(HubSettings::ofUser().offline) << "the variable wins";
    for (const char* const yes : {"1", "true", "Yes", "ON"}) {
        ::setenv("HF_HUB_OFFLINE", yes, 1);
        EXPECT_TRUE(HubSettings::ofUser().offline);
        EXPECT_EQ(HubSettings::ofUser().offlineFrom, "HF_HUB_OFFLINE");
    }
    ::unsetenv("HF_HUB_OFFLINE");
    saveOffline(false);
    EXPECT_FALSE(HubSettings::ofUser().offline);
    write("config/roundpipe/hub.json", "no");
    expectError(ErrorKind::kInvalidInput, {"hub.json"}, [] { HubSettings::ofUser(); });
}

TEST(HubToken, isNotInWhatIsPassedOn) {
    const Token token("hf_secret", "HF_TOKEN");
    EXPECT_EQ(token.redacted("a hf_secret and hf_secret."), "a (token) and (token).");
    EXPECT_EQ(Token().redacted("as it is"), "as it is");
}

} // namespace
} // namespace roundpipe::hub
