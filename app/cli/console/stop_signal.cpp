// SPDX-License-Identifier: GPL-3.0-or-later
#include "console/stop_signal.h"

#include "exit_codes.h"

#include <csignal>
#include <unistd.h>

namespace roundpipe::cli {
namespace {

volatile std::sig_atomic_t g_requests = 0;

void onSignal(int) {
    const std::sig_atomic_t before = g_requests;
    g_requests = before + 1;
    if (before > 0) ::_exit(kStopped);
}

} // namespace

StopSignal::StopSignal() {
    g_requests = 0;
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
}

StopSignal::~StopSignal() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

bool StopSignal::requested() const {
    return g_requests > 0;
}

} // namespace roundpipe::cli
