// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of a simulated (or recorded) stretch of time: one SVG file that needs nothing else, for reports and issues.
#pragma once

#include "trace/record.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::trace {

struct TimelineSvgOptions {
    std::string title;              // first line
    std::vector<std::string> facts; // second line: "1.23 s a step", "bubble 4.1 %"
    int64_t fromNs = 0;             // what is shown, in the records' times; both 0: everything
    int64_t toNs = 0;
    int32_t widthPixels = 1600; // at least 600
};

// A row per lane that has records (by role, so that all devices look alike), times in ms or s from the left edge, stage
// numbers in the slices of the compute rows where they fit, the share of time that each device computes at the right.
// Steps are marked where there are records of kStep. Slices thinner than a pixel are merged with their neighbours.
// Throws kInvalidInput when nothing lies in the window. `lanes` as makeLanes makes them.
std::string timelineSvg(std::span<const Record> records, std::span<const Lane> lanes,
                        const TimelineSvgOptions& options = {});

} // namespace roundpipe::trace
