// SPDX-License-Identifier: GPL-3.0-or-later
// One at a time, in the order in which they came.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>

namespace roundpipe::engine {

// Any thread.
class AnswerQueue {
public:
    // Blocks until it is the caller's turn; asks `goOn` now and then, and gives up where it says false. Whoever was
    // given true calls end().
    bool wait(const std::function<bool()>& goOn);
    void end();

private:
    std::mutex m_mutex; // guards what follows
    std::condition_variable m_moved;
    std::deque<uint64_t> m_queue; // the first one has the turn
    uint64_t m_last = 0;
};

} // namespace roundpipe::engine
