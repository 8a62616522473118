// SPDX-License-Identifier: GPL-3.0-or-later
// Prefetches the microbatches of the next optimizer steps in a thread of its own, so that the engine finds them ready.
#pragma once

#include "data/batches/batcher.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace roundpipe::data {

// Keeps a reference to the batcher, which must outlive it. One thread at a time takes steps.
class BatchFeeder {
public:
    // Steps [first, end), up to `depth` of them ahead.
    BatchFeeder(const Batcher& batcher, int64_t first, int64_t end, int64_t depth = 2);

    // The next step's microbatches: Batcher::step() of first, first + 1, …. Blocks only while they are being made;
    // throws what Batcher::step() threw, and again at every later call.
    std::vector<TokenBatch> next();

    double secondsWaited() const { return m_secondsWaited; } // in all calls of next(), by the thread that calls it

private:
    void assemble(const std::stop_token& stop);

    const Batcher& m_batcher;
    const int64_t m_first;
    const int64_t m_end;
    const std::size_t m_depth;
    int64_t m_next; // that next() returns
    double m_secondsWaited = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::vector<TokenBatch>> m_ready; // guarded by m_mutex
    std::exception_ptr m_failure;                // guarded by m_mutex
    std::jthread m_thread;                       // last: it uses all of the above
};

} // namespace roundpipe::data
