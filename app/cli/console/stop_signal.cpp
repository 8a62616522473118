// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/stop_signal.h"

#include "exit_codes.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace roundpipe::cli {
namespace {

volatile std::sig_atomic_t g_requests = 0;
volatile std::sig_atomic_t g_terminated = 0;

int g_nowhere = -1; // /dev/null, for what nobody reads any more
int g_living = 0;   // StopSignals

void mask(int how) {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        ::sigaddset(&signals, number);
    ::pthread_sigmask(how, &signals, nullptr);
}

void onSignal(int signal) {
    if (signal == SIGTERM) g_terminated = 1;
    const std::sig_atomic_t before = g_requests;
    g_requests = before + 1;
    if (before > 0) ::_exit(kStopped);
}

// A terminal that closes takes what is printed with it, too.
void onHangUp(int) {
    if (g_nowhere >= 0)
        for (const int output : {STDOUT_FILENO, STDERR_FILENO})
            if (::isatty(output) != 0) ::dup2(g_nowhere, output);
    g_terminated = 1;
    if (g_requests == 0) g_requests = 1;
}

// Every line that follows would raise it again, and its writing fail: they go nowhere instead.
void onBrokenPipe(int) {
    const int failed = errno;
    for (const int output : {STDOUT_FILENO, STDERR_FILENO}) {
        pollfd state{output, POLLOUT, 0};
        if (g_nowhere >= 0 && ::poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0) ::dup2(g_nowhere, output);
    }
    g_terminated = 1;
    if (g_requests == 0) g_requests = 1;
    errno = failed;
}

} // namespace

void holdStopSignals() {
    mask(SIG_BLOCK);
}

void letStopSignalsThrough() {
    mask(SIG_UNBLOCK);
}

StopSignal::StopSignal() {
    if (g_living++ > 0) return;
    g_requests = 0;
    g_terminated = 0;
    g_nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
    std::signal(SIGPIPE, onBrokenPipe);
    if (std::signal(SIGHUP, onHangUp) == SIG_IGN) std::signal(SIGHUP, SIG_IGN); // nohup: it outlives its terminal
    letStopSignalsThrough();
}

StopSignal::~StopSignal() {
    if (--g_living > 0) return;
    for (const int number : {SIGINT, SIGTERM, SIGPIPE})
        std::signal(number, SIG_DFL);
    if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
    if (g_nowhere >= 0) ::close(std::exchange(g_nowhere, -1));
}

bool StopSignal::requested() const {
    return g_requests > 0;
}

bool StopSignal::take() {
    const bool wasRequested = g_requests > 0;
    g_requests = 0;
    return wasRequested;
}

bool StopSignal::terminated() const {
    return g_terminated != 0;
}

} // namespace roundpipe::cli
