// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/token_mask.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

using Flags = std::vector<uint8_t>;

TEST(TokenMask, trainsATokenThatStraddlesABorder) {
    const std::vector<TokenSpan> tokens = {{0, 3}, {3, 6}, {6, 9}, {9, 12}};
    const std::vector<Span> spans = {{5, 10}};
    EXPECT_EQ(trainedTokens(tokens, spans), (Flags{0, 1, 1, 1}));
    const std::vector<Span> aligned = {{3, 9}};
    EXPECT_EQ(trainedTokens(tokens, aligned), (Flags{0, 1, 1, 0}));
}

TEST(TokenMask, takesSeveralSpansAndTokensThatShareACharacter) {
    const std::vector<TokenSpan> tokens = {{0, 4}, {0, 4}, {4, 5}, {5, 8}, {5, 8}, {8, 9}};
    const std::vector<Span> spans = {{0, 4}, {5, 8}};
    EXPECT_EQ(trainedTokens(tokens, spans), (Flags{1, 1, 0, 1, 1, 0}));
    EXPECT_EQ(trainedTokens(tokens, {}), (Flags{0, 0, 0, 0, 0, 0}));
}

TEST(TokenMask, trainsATokenWithoutBytesInsideASpanOnly) {
    const std::vector<TokenSpan> tokens = {{0, 0}, {0, 2}, {2, 2}, {2, 4}, {4, 4}};
    const std::vector<Span> spans = {{0, 4}};
    EXPECT_EQ(trainedTokens(tokens, spans), (Flags{0, 1, 1, 1, 0}));
}

TEST(TokenMask, addsTheSpecialTokenThatFollowsASpan) {
    const std::vector<TokenSpan> tokens = {{0, 2}, {2, 5}, {5, 6}, {6, 8}, {8, 9}};
    const std::vector<Span> spans = {{0, 2}, {6, 8}};
    const std::vector<bool> special = {false, true, false, false, false};
    Flags trained = trainedTokens(tokens, spans);
    EXPECT_EQ(addEndsOfTurn(tokens, special, spans, trained), 1); // the second span ends with a plain token
    EXPECT_EQ(trained, (Flags{1, 1, 0, 1, 0}));
}

TEST(TokenMask, countsSpansThatDoNotEndWithASpecialToken) {
    const std::vector<TokenSpan> tokens = {{0, 2}, {2, 5}, {5, 6}, {6, 8}, {8, 9}, {9, 10}};
    const std::vector<bool> special = {false, true, false, false, false, true};
    const std::string text = "ab<e>\ncd\n>";
    const std::vector<Span> withEnd = {{0, 6}}, without = {{0, 2}, {6, 9}}, second = {{0, 5}, {6, 9}};
    EXPECT_EQ(numWithoutEnd(tokens, special, text, withEnd), 0);
    EXPECT_EQ(numWithoutEnd(tokens, special, text, without), 2);
    EXPECT_EQ(numWithoutEnd(tokens, special, text, second), 1);
}

TEST(TokenMask, doesNotTakeASpecialTokenFurtherOn) {
    const std::vector<TokenSpan> tokens = {{0, 2}, {2, 3}, {3, 8}};
    const std::vector<Span> spans = {{0, 2}};
    Flags trained = trainedTokens(tokens, spans);
    EXPECT_EQ(addEndsOfTurn(tokens, {false, false, true}, spans, trained), 1);
    EXPECT_EQ(trained, (Flags{1, 0, 0}));
}

} // namespace
} // namespace roundpipe::data
