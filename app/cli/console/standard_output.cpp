// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/standard_output.h"

#include "exit_codes.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

namespace roundpipe::cli {
namespace {

std::atomic<int> g_failure{0}; // why nothing more could be written; 0: it could

// As fopencookie(3) wants it: what was written, which is less than `size` where that failed.
ssize_t writeWaiting(void*, const char* bytes, std::size_t size) {
    std::size_t written = 0;
    while (written < size) {
        const ssize_t count = ::write(STDOUT_FILENO, bytes + written, size - written);
        if (count >= 0) {
            written += static_cast<std::size_t>(count);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd ready{STDOUT_FILENO, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            g_failure = errno;
            break;
        }
    }
    return static_cast<ssize_t>(written);
}

} // namespace

void waitForSlowReaders() {
    FILE* const waiting = ::fopencookie(nullptr, "w", {nullptr, writeWaiting, nullptr, nullptr});
    if (waiting == nullptr) return; // no memory for it: as it was
    std::setvbuf(waiting, nullptr, ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, BUFSIZ);
    stdout = waiting;
}

int withOutputWritten(int code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    const bool isUnread = g_failure == EPIPE;
    if (!isUnread)
        std::fprintf(stderr, "error: The standard output could not be written: %s.\n", std::strerror(g_failure));
    if (code != kSuccess) return code;
    return isUnread ? kNotRead : kIoError;
}

} // namespace roundpipe::cli
