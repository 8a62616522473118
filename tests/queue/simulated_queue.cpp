// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a line as `roundpipe queue run` does, by simulated runs: simulated_queue QUEUE_FOLDER SIMULATED_HOST
// RUN_FOLDER, the run's folder as simulated_host has it. "refuses" as the host: it says why it can't, and ends.
#include "base/error.h"
#include "hosted/hosted_engine.h"
#include "queue/train_line.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

int main(int /*argc*/, char** argv) {
    using namespace roundpipe;
    const std::string host = argv[2];
    if (host == "refuses") {
        std::fputs("the driver is gone\n", stderr);
        return 1;
    }
    const queue::RunQueue line(argv[1]);
    const runs::RunLock lock = line.lockForTraining();
    const std::vector<std::string> command = {host, "5", argv[3]};
    queue::QueueRunner runner(
        line, [&] { return std::make_unique<hosted::HostedEngine>(command); },
        [] { return std::vector<std::vector<std::string>>(); });
    queue::LineWatch watch;
    watch.stopRequested = [] { return false; };
    watch.onNews = [](const queue::QueueRunner::News&) {};
    queue::trainLine(line, runner, watch);
}
