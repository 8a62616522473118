// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/encode/spans/turn_markers.h"

#include <gtest/gtest.h>

namespace roundpipe::data {
namespace {

using Spans = std::vector<Span>;
const TurnMarkers kMarkers = {"<a>", "</a>"};

TEST(TurnMarkers, giveWhatStandsBetweenThem) {
    EXPECT_EQ(spansBetween("u<a>one</a>u<a></a>u", kMarkers), (Spans{{4, 7}, {15, 15}}));
}

TEST(TurnMarkers, letTheLastTurnRunToTheEndOfTheText) {
    EXPECT_EQ(spansBetween("<a>one</a><a>two", kMarkers), (Spans{{3, 6}, {13, 16}}));
    EXPECT_EQ(spansBetween("nothing", kMarkers), Spans{});
}

TEST(TurnMarkers, areNotLookedForInsideATurn) {
    EXPECT_EQ(spansBetween("<a>x<a>y</a>z", kMarkers), (Spans{{3, 8}}));
}

} // namespace
} // namespace roundpipe::data
