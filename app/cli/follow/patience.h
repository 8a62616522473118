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

// Of a run that is looked at and told nothing: whether it can't go on by itself, as its process is stopped or has said
// nothing since it was followed. A long step is no standstill.
class Standstill {
public:
    Standstill();
    // A warning when it begins to stand still. `hasSpoken`: that the run has told how it stands.
    void look(const FollowedRun& run, bool hasSpoken, Progress& progress);

private:
    int64_t m_begunNs, m_nextNs;
    bool m_isSaid = false;
};

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
