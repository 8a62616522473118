// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "hosted/message.h"

#include <gtest/gtest.h>

#include <random>

namespace roundpipe::hosted {
namespace {

TEST(Messages, comeOutAsTheyWentInHoweverTheirBytesAreCut) {
    std::mt19937 random(7);
    std::string bytes;
    std::vector<Message> sent;
    for (int i = 0; i < 300; ++i) {
        const auto kind = static_cast<MessageKind>(random() % kNumMessageKinds);
        sent.push_back({kind, std::string(random() % (i % 50 == 0 ? 900000 : 40), static_cast<char>(random()))});
        bytes += framed(sent.back().kind, sent.back().body);
    }
    MessageReader reader;
    std::size_t next = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t count = std::min<std::size_t>(1 + random() % 70000, bytes.size() - at);
        reader.add(std::string_view(bytes).substr(at, count));
        at += count;
        while (const std::optional<Message> message = reader.take()) {
            ASSERT_LT(next, sent.size());
            EXPECT_EQ(message->kind, sent[next].kind);
            EXPECT_EQ(message->body, sent[next].body);
            ++next;
        }
    }
    EXPECT_EQ(next, sent.size());
}

TEST(Messages, ofStrangersAreRefusedBeforeTheyAreHeld) {
    MessageReader http;
    http.add("GET / HTTP/1.1\r\n\r\n");
    EXPECT_THROW(http.take(), Error);
    MessageReader unknownKind;
    unknownKind.add(std::string("\0\0\0\0\x7f", 5));
    EXPECT_THROW(unknownKind.take(), Error);
}

} // namespace
} // namespace roundpipe::hosted
