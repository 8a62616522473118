// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for a run that may never answer: its process may be stopped, or hang.
#pragma once

#include "base/error.h"
#include "console/progress.h"
#include "follow/followed_run.h"

#include <cstdint>

namespace roundpipe::cli {

// That it does not answer, since when it stands still, and what can be done.
Error noAnswerOf(const FollowedRun& run);

class Patience {
public:
    explicit Patience(int limitSeconds); // 0: none
    // Whether the limit has passed since this was made.
    bool isOver() const;
    // A warning where the run stands still: after some seconds, then each minute.
    void look(const FollowedRun& run, Progress& progress);

private:
    int64_t m_limitNs, m_begunNs, m_nextNs;
};

} // namespace roundpipe::cli
