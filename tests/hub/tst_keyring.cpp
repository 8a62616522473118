// SPDX-License-Identifier: GPL-3.0-or-later
// The token out of the desktop's keyring; keyring.py runs this on a bus with one.
#include "hub/about/hub_settings.h"
#include "hub/about/keyring.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace roundpipe::hub {
namespace {

bool isOnBusOfItsOwn() {
    return std::getenv("ROUNDPIPE_KEYRING_TEST") != nullptr;
}

TEST(Keyring, holdsTheTokenOfAHost) {
    if (!isOnBusOfItsOwn()) GTEST_SKIP() << "run by keyring.py";
    EXPECT_EQ(secretInKeyring("huggingface.co"), "hf_of_keyring");
    EXPECT_EQ(secretInKeyring("example.org"), std::nullopt);
}

TEST(Keyring, isAskedWhereNoTokenIsElsewhere) {
    if (!isOnBusOfItsOwn()) GTEST_SKIP() << "run by keyring.py";
    HubSettings settings;
    EXPECT_TRUE(settings.withKeyring().token.empty()) << "only a user's own settings have one";
    settings.hasKeyring = true;
    EXPECT_EQ(settings.withKeyring().token.secret(), "hf_of_keyring");
    EXPECT_EQ(settings.withKeyring().about().tokenFrom, "the desktop's keyring");
    EXPECT_FALSE(settings.withKeyring().hasKeyring) << "asked once";

    HubSettings other = settings;
    other.token = Token("hf_of_variable", "HF_TOKEN");
    EXPECT_EQ(other.withKeyring().token.secret(), "hf_of_variable");
    other = settings;
    other.offline = true;
    EXPECT_TRUE(other.withKeyring().token.empty());
    for (const char* const endpoint : {"https://mirror.example", "http://huggingface.co"}) {
        other = settings;
        other.endpoint = endpoint;
        EXPECT_TRUE(other.withKeyring().token.empty()) << endpoint;
    }
}

TEST(Keyring, isNotWaitedForWhereThereIsNoBus) {
    if (isOnBusOfItsOwn()) GTEST_SKIP() << "there is one";
    const testing::TemporaryFolder empty;
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    ::setenv("XDG_RUNTIME_DIR", empty.path().c_str(), 1);
    EXPECT_EQ(secretInKeyring("huggingface.co"), std::nullopt);
    ::setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
    EXPECT_EQ(secretInKeyring("huggingface.co"), std::nullopt);
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
}

} // namespace
} // namespace roundpipe::hub
