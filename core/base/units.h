// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes, times and rates as people read them ("1.5 GiB", "3 min 20 s", "24.6 k").
#pragma once

#include <cstdint>
#include <string>

namespace roundpipe {

inline constexpr int64_t kKiB = 1024;
inline constexpr int64_t kMiB = 1024 * kKiB;
inline constexpr int64_t kGiB = 1024 * kMiB;
inline constexpr double kGiga = 1e9;
inline constexpr double kTera = 1e12;

std::string formatBytes(int64_t bytes);     // binary units, three significant digits
std::string formatDuration(double seconds); // "6.9 ms", "0.35 s", "4.0 s", "42 s", "3 min 20 s", "5 h 02 min"
std::string formatCount(double count);      // "950", "24.6 k", "1.72 B": thousands, millions, billions

// Nanoseconds of the steady clock: the clock of every trace record.
int64_t steadyNowNs();

} // namespace roundpipe
