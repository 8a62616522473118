// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/standard_output.h"

#include "exit_codes.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>

namespace roundpipe::cli {
namespace {

constexpr int kPatienceMs = 5000;          // with a reader that takes nothing
constexpr std::size_t kMostKept = 1 << 20; // bytes, thousands of lines
constexpr std::size_t kAlwaysTaken = 4096; // PIPE_BUF of Linux: a pipe that is ready takes it without waiting
constexpr const char* kLeftOut = "\n(what followed was not read in time, and is left out here)\n";

struct Output {
    int descriptor;
    std::atomic<bool> isPatient;  // waits for as long as it takes
    std::string kept = {};        // what is to be written still
    bool hasStopped = false;      // its reader
    bool isFull = false;          // of what was kept
    std::atomic<int> failure = 0; // why nothing more could be written; 0: it could
};
Output g_results{STDOUT_FILENO, true}, g_errors{STDERR_FILENO, false};

void keep(Output& output, std::string_view bytes) {
    if (output.isFull) return;
    output.isFull = !output.isPatient && output.kept.size() + bytes.size() > kMostKept;
    output.kept += output.isFull ? std::string_view(kLeftOut) : bytes;
}

// False: its reader takes nothing, or a signal came.
bool isReady(int descriptor, int limitMs) {
    pollfd ready{descriptor, POLLOUT, 0};
    return ::poll(&ready, 1, limitMs) > 0;
}

// What was kept, as far as its reader takes it. `limitMs`: with a reader that takes nothing; negative: none.
void writeKept(Output& output, int limitMs) {
    std::size_t written = 0;
    while (written < output.kept.size() && output.failure == 0) {
        const bool isRead = isReady(output.descriptor, limitMs);
        output.hasStopped = !isRead && limitMs >= 0;
        if (output.hasStopped) break;
        if (!isRead) continue;
        const ssize_t count = ::write(output.descriptor, output.kept.data() + written,
                                      std::min(output.kept.size() - written, kAlwaysTaken));
        if (count >= 0)
            written += static_cast<std::size_t>(count);
        else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            output.failure = errno;
    }
    output.kept.erase(0, output.failure == 0 ? written : std::string::npos);
    if (output.kept.empty()) output.isFull = false;
}

// As fopencookie(3) wants it: 0 where it failed.
ssize_t writeSoon(void* cookie, const char* bytes, std::size_t size) {
    Output& output = *static_cast<Output*>(cookie);
    keep(output, {bytes, size});
    writeKept(output, output.isPatient ? -1 : output.hasStopped ? 0 : kPatienceMs);
    return output.failure == 0 ? static_cast<ssize_t>(size) : 0;
}

void replace(FILE*& stream, Output& output, int buffering) {
    FILE* const waiting = ::fopencookie(&output, "w", {nullptr, writeSoon, nullptr, nullptr});
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

GoesOnUnread::GoesOnUnread() {
    g_results.isPatient = false;
}

GoesOnUnread::~GoesOnUnread() {
    g_results.isPatient = !g_results.hasStopped;
}

int withOutputWritten(int code) {
    const bool isWritten = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    for (Output* output : {&g_results, &g_errors})
        writeKept(*output, kPatienceMs);
    if (isWritten && g_results.failure == 0) return code;
    const bool isUnread = g_results.failure == EPIPE;
    if (!isUnread)
        std::fprintf(stderr, "error: The standard output could not be written: %s.\n",
                     std::strerror(g_results.failure));
    if (code != kSuccess) return code;
    return isUnread ? kNotRead : kIoError;
}

} // namespace roundpipe::cli
