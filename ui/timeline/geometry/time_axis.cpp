// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/geometry/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace roundpipe::ui::timeline {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// 1, 2, 5 times a power of ten up to 20 s, then what clocks count in.
int64_t labelStep(double minStepNs) {
    for (int64_t power = 1'000; power <= 10 * kSecond; power *= 10)
        for (const int64_t factor : {1, 2, 5})
            if (static_cast<double>(power * factor) >= minStepNs && power * factor <= 20 * kSecond)
                return power * factor;
    constexpr std::array kMinutes = {30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400};
    for (const int seconds : kMinutes)
        if (static_cast<double>(seconds * kSecond) >= minStepNs) return seconds * kSecond;
    return static_cast<int64_t>(std::ceil(minStepNs / (86400.0 * kSecond))) * 86400 * kSecond;
}

// With as many decimals as the step needs, so that neighbours differ.
std::string markText(int64_t ns, int64_t stepNs) {
    if (stepNs >= kSecond && std::abs(ns) >= 60 * kSecond) {
        const int64_t seconds = ns / kSecond;
        return seconds >= 3600 ? fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
                               : fmt::format("{}:{:02} min", seconds / 60, seconds % 60);
    }
    int decimals = 0;
    for (int64_t unit = kSecond; stepNs % unit != 0 && decimals < 9; unit /= 10)
        ++decimals;
    return fmt::format("{:.{}f} s", static_cast<double>(ns) / kSecond, decimals);
}

} // namespace

std::vector<TimeMark> timeMarks(int64_t beginNs, int64_t endNs, int widthPixels, int minLabelPixels) {
    std::vector<TimeMark> marks;
    if (endNs <= beginNs || widthPixels <= 0) return marks;
    const double nsPerPixel = static_cast<double>(endNs - beginNs) / widthPixels;
    const int64_t step = labelStep(nsPerPixel * minLabelPixels);
    const int64_t small = step / 5 > 0 ? step / 5 : step;
    int64_t mark = beginNs / small * small;
    if (mark < beginNs) mark += small;
    for (; mark <= endNs; mark += small)
        marks.push_back({mark, mark % step == 0 ? markText(mark, step) : std::string()});
    return marks;
}

std::string momentText(int64_t ns, double nsPerPixel) {
    int decimals = 0;
    int64_t unit = kSecond;
    for (; static_cast<double>(unit) > nsPerPixel && decimals < 6; unit /= 10)
        ++decimals;
    const int64_t rounded = std::llround(static_cast<double>(ns) / static_cast<double>(unit)) * unit;
    if (std::abs(rounded) < 60 * kSecond)
        return fmt::format("{:.{}f} s", static_cast<double>(rounded) / kSecond, decimals);
    const int64_t minutes = rounded / (60 * kSecond);
    const double seconds = static_cast<double>(std::abs(rounded) % (60 * kSecond)) / kSecond;
    const int width = decimals > 0 ? decimals + 3 : 2;
    if (std::abs(minutes) < 60) return fmt::format("{}:{:0{}.{}f} min", minutes, seconds, width, decimals);
    return fmt::format("{}:{:02}:{:0{}.{}f}", minutes / 60, std::abs(minutes) % 60, seconds, width, decimals);
}

std::string durationText(int64_t ns) {
    const double value = static_cast<double>(ns);
    const auto digits = [](double number, const char* unit) {
        const int decimals = std::abs(number) < 9.995 ? 2 : std::abs(number) < 99.95 ? 1 : 0;
        return fmt::format("{:.{}f} {}", number, decimals, unit);
    };
    if (std::abs(value) < 999.5) return fmt::format("{} ns", ns);
    if (std::abs(value) < 999.5e3) return digits(value / 1e3, "\u00b5s");
    if (std::abs(value) < 999.5e6) return digits(value / 1e6, "ms");
    if (std::abs(value) < 59.95e9) return digits(value / 1e9, "s");
    const auto seconds = static_cast<int64_t>(std::llround(value / 1e9));
    if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
    return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

} // namespace roundpipe::ui::timeline
