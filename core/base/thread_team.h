// A few threads that share one loop at a time: for work of a millisecond that one core is too slow for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace roundpipe {

// One thread at a time may give it work; that thread takes part.
class ThreadTeam {
public:
    explicit ThreadTeam(int numThreads = 1); // the caller included
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    // Calls work(begin, end) on ranges that make up [0, count), of at least `grain` where there are several; returns
    // when all are done. `work` must not throw.
    using Work = std::function<void(int64_t begin, int64_t end)>;
    void split(int64_t count, int64_t grain, const Work& work);

private:
    void serve(int64_t member);
    void callPart(int64_t part) const;

    std::mutex m_mutex; // guards what follows
    std::condition_variable m_given, m_done;
    const Work* m_work = nullptr;
    int64_t m_count = 0, m_numParts = 0;
    int64_t m_round = 0; // counts what was given
    int64_t m_numWorking = 0;
    bool m_over = false;
    std::vector<std::thread> m_threads; // last: they use the rest
};

} // namespace roundpipe
