// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/json_lines.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json_problem.h"
#include "base/log.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace roundpipe::runs {

void appendLine(const std::filesystem::path& file, std::string_view line) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
    if (descriptor < 0) throw ioError("write", file, errno);
    const off_t before = ::lseek(descriptor, 0, SEEK_END);
    int failed = 0;
    std::size_t put = 0;
    while (put < line.size() && failed == 0) { // a disk may take less than it is given
        const ssize_t some = ::write(descriptor, line.data() + put, line.size() - put);
        if (some >= 0) put += static_cast<std::size_t>(some);
        if (some == 0) failed = ENOSPC;
        if (some < 0 && errno != EINTR) failed = errno;
    }
    // Half of it would spoil the line that follows; where even that fails, nothing more can be done.
    if (failed != 0 && put > 0 && ::ftruncate(descriptor, before) != 0)
        log::warning("'" + file.string() + "' ends early.");
    ::close(descriptor);
    if (failed != 0) throw ioError("write", file, failed);
}

void forEachLine(const std::filesystem::path& file, const std::string& what,
                 const std::function<void(std::string_view line)>& parse) {
    if (!std::filesystem::exists(file)) return;
    const std::string text = readTextFile(file, kMostOfLines);
    std::size_t begin = 0;
    int64_t number = 1;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++number) {
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        try {
            parse(line);
        } catch (const nlohmann::json::exception& error) {
            throw invalidInput("'" + file.string() + "', line " + std::to_string(number) + " is no " + what + ": " +
                               wordsForJsonError(error.id, error.what(), line) + ".");
        }
    }
}

} // namespace roundpipe::runs
