// SPDX-License-Identifier: GPL-3.0-or-later
// Where the ruler's marks stand and what they say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roundpipe::ui::timeline {

struct TimeMark {
    int64_t timeNs = 0; // since the origin
    std::string label;  // empty: a small mark
};

// Round times in [beginNs, endNs], both since the origin; labelled marks are at least `minLabelPixels` apart.
std::vector<TimeMark> timeMarks(int64_t beginNs, int64_t endNs, int widthPixels, int minLabelPixels);

// "12.345 s", "1:02.35 min": a moment since the origin, as exactly as pixels of that width can be told apart.
std::string momentText(int64_t ns, double nsPerPixel);

// "1.25 ms", "12.4 s", "3 min 07 s": a duration or a time since the origin, three significant digits below a minute.
std::string durationText(int64_t ns);

} // namespace roundpipe::ui::timeline
