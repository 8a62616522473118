// SPDX-License-Identifier: GPL-3.0-or-later
// A few threads that share one loop at a time, so that a processor with many cores is used without a thread's start for
// each loop.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace roundpipe {

// One thread at a time may give it a loop; that thread takes part. A body that throws ends the loop; the first
// exception is thrown once no other thread works on it.
class ThreadTeam {
public:
    explicit ThreadTeam(int numThreads = 1); // the caller included; 0: one for each of the processor's
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    // Calls body(i) once for each i in [0, count), in any order.
    using Body = std::function<void(int64_t i)>;
    void forEach(int64_t count, const Body& body);

    // Calls work(begin, end) on at most one range a thread; they make up [0, count) and are of at least `grain` where
    // there are several. For work of a millisecond that one core is too slow for.
    using RangeWork = std::function<void(int64_t begin, int64_t end)>;
    void split(int64_t count, int64_t grain, const RangeWork& work);

private:
    void serve();
    void takeIndices(std::unique_lock<std::mutex>& lock);

    std::mutex m_mutex; // guards what follows
    std::condition_variable m_given, m_done;
    const Body* m_body = nullptr; // of the loop under way
    int64_t m_next = 0, m_count = 0;
    int64_t m_numWorking = 0; // bodies that run
    std::exception_ptr m_failure;
    bool m_over = false;
    std::vector<std::thread> m_threads; // last: they use the rest
};

// The same with a team for this one loop, of up to `numThreads` threads (0: one for each of the processor's).
void forEachIndex(int64_t count, int numThreads, const ThreadTeam::Body& body);

} // namespace roundpipe
