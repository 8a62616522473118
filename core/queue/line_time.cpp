// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/line_time.h"

#include "queue/device_sets.h"

#include <algorithm>

namespace roundpipe::queue {

LineTime timeOf(std::span<const QueuedRun> waiting, std::span<const LeftRun> left) {
    std::vector<std::vector<std::string>> devices;
    std::vector<double> seconds; // 0: not known
    for (const LeftRun& run : left) {
        if (!run.isUnderWay() && !run.isStarting) continue;
        devices.push_back(run.devices());
        seconds.push_back(run.secondsLeft());
    }
    for (const QueuedRun& run : waiting) {
        if (!run.isReadable()) continue;
        devices.push_back(run.spec.engine.devices);
        seconds.push_back(run.expectedSeconds);
    }
    LineTime time;
    time.isEmpty = seconds.empty();
    time.isWhole = std::ranges::find(seconds, 0.0) == seconds.end();
    for (const std::vector<std::size_t>& line : linesOf(devices)) {
        double sum = 0;
        for (const std::size_t run : line)
            sum += seconds[run];
        time.seconds = std::max(time.seconds, sum);
    }
    return time;
}

} // namespace roundpipe::queue
