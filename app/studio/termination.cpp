// SPDX-License-Identifier: GPL-3.0-or-later
#include "termination.h"

#include <QSocketNotifier>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace roundpipe::studio {
namespace {

int g_pipe[2] = {-1, -1}; // a handler may do little more than write to one

void onSignal(int signal) {
    std::signal(signal, SIG_DFL); // the second one is not ours
    const char byte = 0;
    [[maybe_unused]] const auto written = ::write(g_pipe[1], &byte, 1);
}

} // namespace

Termination::Termination(std::function<void()> end, QObject* parent) : QObject(parent) {
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error with words, as a full disk is
    std::signal(SIGPIPE, SIG_IGN); // the terminal that reads our messages may be gone
    if (::pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return; // then they end the program at once, as they always did
    auto* notifier = new QSocketNotifier(g_pipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [notifier, end = std::move(end)] {
        notifier->setEnabled(false);
        end();
    });
    std::signal(SIGTERM, onSignal);
    std::signal(SIGINT, onSignal);
    if (std::signal(SIGHUP, onSignal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN); // nohup: it is to outlive its terminal
}

} // namespace roundpipe::studio
