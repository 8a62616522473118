// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's log told just before its process ended.
#pragma once

#include <filesystem>
#include <string>

namespace roundpipe::runs {

// The lines of the log that are at most a minute older than its last one, the last 4 KiB of them. Empty where there is
// none that can be read, or nothing was written to it since `begunAt`: then it tells of another process.
std::string lastMinuteOf(const std::filesystem::path& runFolder, std::filesystem::file_time_type begunAt);

} // namespace roundpipe::runs
