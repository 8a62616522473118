// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/last_minute.h"

#include "base/error.h"
#include "base/file.h"
#include "runs/run_files.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <span>
#include <system_error>

namespace roundpipe::runs {
namespace {

namespace fs = std::filesystem;
constexpr int64_t kMostBytes = 4096;

std::string endOf(const fs::path& log) {
    const FileReader file(log);
    const int64_t bytes = std::min(file.sizeBytes(), kMostBytes);
    std::string text(static_cast<std::size_t>(bytes), '\0');
    file.readAt(file.sizeBytes() - bytes, std::as_writable_bytes(std::span(text)));
    if (bytes < file.sizeBytes()) text.erase(0, text.find('\n') + 1);
    return text;
}

// As lines of the log begin: by the clock of the place.
std::string asInLog(fs::file_time_type time) {
    const auto system = std::chrono::file_clock::to_sys(time);
    const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
    std::tm place{};
    ::localtime_r(&seconds, &place);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &place)};
}

} // namespace

std::string lastMinuteOf(const fs::path& runFolder, fs::file_time_type begunAt) {
    const fs::path log = RunFiles{runFolder}.log();
    std::error_code none;
    const fs::file_time_type written = fs::last_write_time(log, none);
    if (runFolder.empty() || none || written < begunAt) return {};
    try {
        const std::string text = endOf(log), first = asInLog(written - std::chrono::minutes(1));
        std::size_t begin = 0; // of the first line that is late enough, by the text: what is a time sorts so
        while (begin < text.size() && text.compare(begin, first.size(), first) < 0)
            begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
        return text.substr(begin);
    } catch (const Error&) { // it was taken away meanwhile
        return {};
    }
}

} // namespace roundpipe::runs
