// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/digest.h"

#include <gtest/gtest.h>

#include <string>

namespace roundpipe {
namespace {

std::string digestOf(DigestKind kind, const std::string& text, std::size_t pieces) {
    Digest digest(kind, static_cast<int64_t>(text.size()));
    for (std::size_t i = 0; i < text.size(); i += pieces)
        digest.add(std::string_view(text).substr(i, pieces));
    return digest.hex();
}

// The examples of FIPS 180-4, and `git hash-object` of the same.
TEST(HubDigest, isWhatTheStandardHas) {
    EXPECT_EQ(digestOf(DigestKind::kSha256, "abc", 1),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(digestOf(DigestKind::kSha256, "", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digestOf(DigestKind::kSha256, std::string(1'000'000, 'a'), 4096),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    EXPECT_EQ(digestOf(DigestKind::kGitBlob, "", 1), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    EXPECT_EQ(digestOf(DigestKind::kGitBlob, "what is up, doc?", 5), "bd9dbf5aae1a3862dd1526723246b20206e5fc37");
}

TEST(HubDigest, doesNotDependOnHowTheBytesCome) {
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += static_cast<char>(i);
    for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kGitBlob})
        for (std::size_t length = 0; length < text.size(); ++length) {
            const std::string part = text.substr(0, length);
            EXPECT_EQ(digestOf(kind, part, 1), digestOf(kind, part, 64)) << length;
            EXPECT_EQ(digestOf(kind, part, 7), digestOf(kind, part, 1000)) << length;
        }
}

} // namespace
} // namespace roundpipe
