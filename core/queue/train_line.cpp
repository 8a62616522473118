// SPDX-License-Identifier: GPL-3.0-or-later
#include "queue/train_line.h"

#include <chrono>
#include <thread>
#include <utility>

namespace roundpipe::queue {

LineEnd trainLine(const RunQueue& queue, QueueRunner& runner, const LineWatch& watch) {
    bool stopping = false, isInTrouble = false;
    for (;;) {
        for (const QueueRunner::News& news : stopping ? runner.turnWithoutBeginning() : runner.turn())
            watch.onNews(news);
        const bool hasTrouble = runner.trouble().has_value();
        if (!std::exchange(isInTrouble, hasTrouble) && hasTrouble && watch.onTrouble)
            watch.onTrouble(*runner.trouble());
        if (runner.isIdle() && stopping) return LineEnd::kStopped;
        if (runner.isIdle() && !hasTrouble) {
            const QueueContents line = queue.contents();
            if (!watch.stays && !canGoOn(line.waiting)) return LineEnd::kEmpty;
            if (!watch.stays && line.choices.isPaused) return LineEnd::kPaused;
        }
        if (watch.stopRequested() && !std::exchange(stopping, true)) {
            watch.onStopping();
            runner.stopAll();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
}

} // namespace roundpipe::queue
