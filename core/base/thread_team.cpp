#include "base/thread_team.h"

#include <algorithm>

namespace roundpipe {

ThreadTeam::ThreadTeam(int numThreads) {
    for (int member = 1; member < numThreads; ++member)
        m_threads.emplace_back([this, member] { serve(member); });
}

ThreadTeam::~ThreadTeam() {
    {
        const std::scoped_lock lock(m_mutex);
        m_over = true;
    }
    m_given.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void ThreadTeam::callPart(int64_t part) const {
    (*m_work)(m_count * part / m_numParts, m_count * (part + 1) / m_numParts);
}

void ThreadTeam::split(int64_t count, int64_t grain, const Work& work) {
    const int64_t numParts = std::clamp<int64_t>(count / grain, 1, static_cast<int64_t>(m_threads.size()) + 1);
    if (numParts == 1) return work(0, count);
    {
        const std::scoped_lock lock(m_mutex);
        m_work = &work;
        m_count = count;
        m_numParts = numParts;
        m_numWorking = numParts - 1;
        ++m_round;
    }
    m_given.notify_all();
    callPart(0);
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_numWorking == 0; });
}

// Nothing of the work changes while a part of it is left, so parts are read outside the lock.
void ThreadTeam::serve(int64_t member) {
    int64_t served = 0;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_given.wait(lock, [&] { return m_over || m_round != served; });
        if (m_over) return;
        served = m_round;
        if (member >= m_numParts) continue;
        lock.unlock();
        callPart(member);
        lock.lock();
        if (--m_numWorking == 0) m_done.notify_one();
    }
}

} // namespace roundpipe
