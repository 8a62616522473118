// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/secrets.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <utility>

namespace roundpipe {
namespace {

TEST(Secrets, ofAddressesAreHidden) {
    for (const auto& [text, told] : {
             std::pair{"https://me:secret@host/a?b=1", "https://(hidden)@host/a?b=1"},
             {"/runs/a/https:/me:secret@host/model", "/runs/a/https:/(hidden)@host/model"},
             {"'https://secret@host'", "'https://(hidden)@host'"},
             {"https://me:se@cret@host/x@y", "https://(hidden)@host/x@y"},
             {"https://host/a?token=secret&b=1#c", "https://host/a?token=(hidden)&b=1#c"},
             {"\"https://host?b=1&X-Amz-Signature=secret\"", "\"https://host?b=1&X-Amz-Signature=(hidden)\""},
             {"https://host?b=1&amp;api_key=secret<br>", "https://host?b=1&amp;api_key=(hidden)<br>"},
             {"two: a://b:secret@c and d://e:secret@f", "two: a://(hidden)@c and d://(hidden)@f"},
             {"with hf_secretSECRETsecret012 in it", "with hf_(hidden) in it"},
         })
        EXPECT_EQ(withoutSecrets(text), told);
}

TEST(Secrets, nothingElseIsHidden) {
    for (const char* const text :
         {"", "https://host/a?b=1&c=2", "/home/a@b/c", "/a:/b@c/d", "a@b.c", "hf:org/name", "hf_hub",
          "What? A token=1 is no address", "://", "?", "a://", "x://@y", "?token", "my_hf_0123456789abcdef0123"})
        EXPECT_EQ(withoutSecrets(text), text);
}

TEST(Secrets, standInNoErrorAndInNoLog) {
    const Error error(ErrorKind::kIo, "Cannot open 'https://me:secret@host'.",
                      "Try https://host?token=secret instead.");
    for (const std::string& text : {std::string(error.what()), error.message(), error.advice()})
        EXPECT_EQ(text.find("secret"), std::string::npos) << text;
    const testing::TemporaryFolder folder;
    log::openFile(folder.path() / "log");
    log::info("reading https://me:secret@host");
    log::closeFile();
    EXPECT_NE(readTextFile(folder.path() / "log").find("reading https://(hidden)@host"), std::string::npos);
}

TEST(IoError, advisesByWhatIsInTheWay) {
    const auto adviceOn = [](int number) { return ioError("write", "a", number).advice(); };
    EXPECT_NE(adviceOn(EACCES).find("Permission is lacking"), std::string::npos);
    EXPECT_NE(adviceOn(EROFS).find("mounted read-only"), std::string::npos);
    EXPECT_NE(adviceOn(EIO).find("The disk"), std::string::npos);
    for (const int full : {ENOSPC, EDQUOT}) {
        EXPECT_NE(adviceOn(full).find("Free some disk space"), std::string::npos);
        EXPECT_EQ(ioError("write", "a", full).kind(), ErrorKind::kNoSpace);
    }
    EXPECT_EQ(ioError("write", "a", EROFS).kind(), ErrorKind::kIo);
    EXPECT_EQ(adviceOn(ENOENT), "");
}

} // namespace
} // namespace roundpipe
