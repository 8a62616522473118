// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/store/file_lock.h"

#include "base/error.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include <sys/file.h>

namespace roundpipe::hub {
namespace {

std::filesystem::path inItsFolder(const std::filesystem::path& path) {
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    if (failed) throw ioError("make", path.parent_path(), failed.value());
    return path;
}

} // namespace

FileLock::FileLock(const std::filesystem::path& path, const std::stop_token& stop) : m_file(inItsFolder(path), 0664) {
    constexpr std::chrono::milliseconds kLookAgainAfter{50};
    while (::flock(m_file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        if (reason == ENOTSUP || reason == ENOLCK) return; // no locks there: what is fetched is checked all the same
        if (reason != EWOULDBLOCK && reason != EINTR) throw ioError("lock", path, reason);
        if (stop.stop_requested()) throw Error(ErrorKind::kCancelled, "The fetch was stopped.");
        std::this_thread::sleep_for(kLookAgainAfter);
    }
}

} // namespace roundpipe::hub
