// SPDX-License-Identifier: GPL-3.0-or-later
// How long it takes until nothing trains and nothing waits.
#pragma once

#include "queue/left_runs.h"

#include <span>

namespace roundpipe::queue {

struct LineTime {
    double seconds = 0;  // of the line of devices that takes the longest, by what is known
    bool isWhole = true; // false: some run's time is not known, so that it is more
    bool isEmpty = true; // nothing trains or waits
};

// What can't be read is left out. From now on, as if somebody trained it.
LineTime timeOf(std::span<const QueuedRun> waiting, std::span<const LeftRun> left);

} // namespace roundpipe::queue
