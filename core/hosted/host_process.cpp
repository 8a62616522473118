// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosted/host_process.h"

#include "base/error.h"
#include "hosted/run_host.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace roundpipe::hosted {
namespace {

constexpr auto kRound = std::chrono::milliseconds(20);

Descriptor standardInput() {
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISSOCK(status.st_mode))
        throw invalidInput("The standard input is no socket.", "Other programs begin this; people `roundpipe train`.");
    Descriptor socket(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!socket) throw ioError("open", "standard input", errno);
    return socket;
}

} // namespace

session::RunState hostRun(session::Engine& engine, const std::function<bool()>& stopRequested) {
    RunHost host(engine);
    host.addOwner(standardInput());
    ::close(STDIN_FILENO); // so that the owner alone holds the other end
    bool stops = false;
    while (!host.isDone()) {
        host.turn();
        const bool begun = host.snapshot().state != session::RunState::kIdle;
        if (!begun && !host.hasFollowers()) break;
        if (!stops && stopRequested()) {
            stops = true;
            if (!begun) break;
            engine.requestStop();
        }
        std::this_thread::sleep_for(kRound);
    }
    return host.snapshot().state;
}

} // namespace roundpipe::hosted
