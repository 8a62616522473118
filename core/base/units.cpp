// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace roundpipe {
namespace {

std::string scaled(double value, double base, const char* const* units, int numUnits) {
    int unit = 0;
    while (unit + 1 < numUnits && std::abs(value) >= base * (1 - 5e-4)) {
        value /= base;
        ++unit;
    }
    std::array<char, 48> text{};
    const int decimals = unit == 0 || std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
    std::snprintf(text.data(), text.size(), "%.*f%s%s", decimals, value, units[unit][0] == '\0' ? "" : " ",
                  units[unit]);
    return text.data();
}

} // namespace

std::string formatBytes(int64_t bytes) {
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    return scaled(static_cast<double>(bytes), 1024.0, kUnits, 6);
}

std::string formatCount(double count) {
    if (count > 0 && count < 0.995) { // a rate
        std::array<char, 48> text{};
        std::snprintf(text.data(), text.size(), "%.2g", count);
        return text.data();
    }
    static constexpr const char* kUnits[] = {"", "k", "M", "B", "T"};
    return scaled(count, 1000.0, kUnits, 5);
}

std::string formatDuration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "unknown";
    std::array<char, 48> text{};
    const auto whole = static_cast<int64_t>(std::llround(seconds));
    const double ms = 1e3 * seconds;
    if (seconds > 0 && ms < 99.5) // two figures, as "4.0 s" below "12 s": lists keep one form
        std::snprintf(text.data(), text.size(), "%.*f ms", ms < 0.995 ? 2 : ms < 9.95 ? 1 : 0, ms);
    else if (seconds > 0 && seconds < 9.95)
        std::snprintf(text.data(), text.size(), "%.*f s", seconds < 0.995 ? 2 : 1, seconds);
    else if (whole < 60)
        std::snprintf(text.data(), text.size(), "%lld s", static_cast<long long>(whole));
    else if (whole < 3600)
        std::snprintf(text.data(), text.size(), "%lld min %02lld s", static_cast<long long>(whole / 60),
                      static_cast<long long>(whole % 60));
    else if (whole < 86400)
        std::snprintf(text.data(), text.size(), "%lld h %02lld min", static_cast<long long>(whole / 3600),
                      static_cast<long long>(whole % 3600 / 60));
    else
        std::snprintf(text.data(), text.size(), "%lld d %lld h", static_cast<long long>(whole / 86400),
                      static_cast<long long>(whole % 86400 / 3600));
    return text.data();
}

int64_t steadyNowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace roundpipe
