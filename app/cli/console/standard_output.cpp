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

struct Output {
    int descriptor;
    std::atomic<int> failure = 0; // why nothing more could be written; 0: it could
};
Output g_results{STDOUT_FILENO}, g_errors{STDERR_FILENO};

// As fopencookie(3) wants it: what was written, which is less than `size` where that failed.
ssize_t writeWaiting(void* cookie, const char* bytes, std::size_t size) {
    Output& output = *static_cast<Output*>(cookie);
    std::size_t written = 0;
    while (written < size) {
        const ssize_t count = ::write(output.descriptor, bytes + written, size - written);
        if (count >= 0) {
            written += static_cast<std::size_t>(count);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd ready{output.descriptor, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            output.failure = errno;
            break;
        }
    }
    return static_cast<ssize_t>(written);
}

void replace(FILE*& stream, Output& output, int buffering) {
    FILE* const waiting = ::fopencookie(&output, "w", {nullptr, writeWaiting, nullptr, nullptr});
    if (waiting == nullptr) return; // no memory for it: as it was
    std::setvbuf(waiting, nullptr, buffering, BUFSIZ);
    stream = waiting;
}

} // namespace

void waitForSlowReaders() {
    replace(stdout, g_results, ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF);
    // Of a terminal the log asks by its stream whether it has colours.
    if (::isatty(STDERR_FILENO) == 0) replace(stderr, g_errors, _IONBF);
}

int withOutputWritten(int code) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    const bool isUnread = g_results.failure == EPIPE;
    if (!isUnread)
        std::fprintf(stderr, "error: The standard output could not be written: %s.\n",
                     std::strerror(g_results.failure));
    if (code != kSuccess) return code;
    return isUnread ? kNotRead : kIoError;
}

} // namespace roundpipe::cli
