// SPDX-License-Identifier: GPL-3.0-or-later
// Trains what waits, until nothing does.
#pragma once

#include "queue/queue_runner.h"

#include <functional>

namespace roundpipe::queue {

enum class LineEnd {
    kEmpty,  // nothing waits that can be read, nothing is under way
    kPaused, // nothing is under way, and what waits is not to begin
    kStopped // as it was asked to
};

struct LineWatch {
    bool stays = false;                  // waits for more, and for the end of a pause
    std::function<bool()> stopRequested; // asked every round: what is under way then stops and saves
    std::function<void()> onStopping;
    std::function<void(const QueueRunner::News&)> onNews;
    std::function<void(const Error&)> onTrouble; // the line can't be written: it is tried again until it can
};

// Whoever calls it holds RunQueue::lockForTraining(). Blocks; throws as RunQueue where the line can't be read.
LineEnd trainLine(const RunQueue& queue, QueueRunner& runner, const LineWatch& watch);

} // namespace roundpipe::queue
