// SPDX-License-Identifier: GPL-3.0-or-later
// resources/manual/settings.md is what the program says of its settings.
#include "base/file.h"
#include "session/spec/run_spec_fields.h"
#include "session/spec/settings_manual.h"
#include "testing/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace roundpipe::session {
namespace {

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(SettingsManual, hasAHeadingForEverySettingOnce) {
    const std::string text = settingsManual();
    for (const Field& field : runSpecFields())
        EXPECT_EQ(countOf(text, "### " + field.key + "\n"), 1U) << field.key;
    EXPECT_EQ(countOf(text, "\n### "), runSpecFields().size());
}

// Links leave dots out.
TEST(SettingsManual, headingsDifferAlsoWithoutTheirDots) {
    std::set<std::string> anchors;
    for (const Field& field : runSpecFields()) {
        std::string anchor = field.key;
        std::erase(anchor, '.');
        EXPECT_TRUE(anchors.insert(anchor).second) << field.key;
    }
}

TEST(SettingsManual, saysLimitsChoicesDefaultsAndOptions) {
    const std::string text = settingsManual();
    EXPECT_NE(text.find("Whole number from 1 to 4096, default 16. Option `--rank`."), std::string::npos);
    EXPECT_NE(text.find("One of `truncate`, `drop`, `split`, default `truncate`. Option `--over-length`."),
              std::string::npos);
    EXPECT_NE(text.find("On or off, default on. Options `--shuffle` and `--no-shuffle`."), std::string::npos);
    EXPECT_NE(text.find("Number from 0 to 10, default 0.0002. Option `--learning-rate`."), std::string::npos);
    EXPECT_NE(text.find("List of paths, empty by default. Option `--data`."), std::string::npos);
}

TEST(SettingsManual, isWhatTheManualHolds) {
    EXPECT_EQ(readTextFile(testing::sourceFolder() / "resources" / "manual" / "settings.md"), settingsManual())
        << "Write it anew: roundpipe settings > resources/manual/settings.md";
}

} // namespace
} // namespace roundpipe::session
