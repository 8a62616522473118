// SPDX-License-Identifier: GPL-3.0-or-later
#include "generate/stop_texts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace roundpipe::generate {
namespace {

// What is given out of `text` where it comes in pieces of so many bytes; where it is stopped, a '|' at the end.
std::string shown(const std::vector<std::string>& stops, const std::string& text, std::size_t pieceBytes) {
    StopTexts stopTexts(stops);
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += pieceBytes)
        out += stopTexts.push(text.substr(at, pieceBytes));
    out += stopTexts.finish();
    return out + (stopTexts.found() ? "|" : "");
}

TEST(StopTexts, endBeforeTheFirstHoweverTheTextIsCut) {
    for (std::size_t bytes = 1; bytes < 20; ++bytes) {
        EXPECT_EQ(shown({"User:"}, "Hello.\nUser: and more", bytes), "Hello.\n|") << bytes;
        EXPECT_EQ(shown({"aab"}, "aaaab", bytes), "aa|") << bytes; // the begin that fails holds the one that does not
        EXPECT_EQ(shown({"abc", "b"}, "xabc", bytes), "xa|") << bytes; // whole first
        EXPECT_EQ(shown({"b", "ab"}, "xab", bytes), "x|") << bytes;    // they end together: nothing of either is shown
        EXPECT_EQ(shown({"###"}, "## no #", bytes), "## no #") << bytes;
        EXPECT_EQ(shown({}, "anything", bytes), "anything") << bytes;
        EXPECT_EQ(shown({"Grüße"}, "Viele Grüße", bytes), "Viele |") << bytes;
    }
}

TEST(StopTexts, keepBackNoMoreThanCouldBeOne) {
    StopTexts stops({"END"});
    EXPECT_EQ(stops.push("the E"), "the ");
    EXPECT_EQ(stops.push("N"), "");
    EXPECT_EQ(stops.push("ough"), "ENough");
    EXPECT_EQ(stops.push("END"), "");
    EXPECT_TRUE(stops.found());
    EXPECT_EQ(stops.push("more"), "");
    EXPECT_EQ(stops.finish(), "");
}

TEST(StopTexts, neverCutACharacter) { // of which a stop text begins as the text's does: two of three bytes are the same
    StopTexts stops({"€"});
    const std::string text = stops.push("₿");
    EXPECT_EQ(text + stops.finish(), "₿");
    EXPECT_EQ(text, "₿");
}

} // namespace
} // namespace roundpipe::generate
