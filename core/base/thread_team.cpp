// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread_team.h"

#include <algorithm>
#include <utility>

namespace roundpipe {
namespace {

int orOfProcessor(int numThreads) {
    return numThreads > 0 ? numThreads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

} // namespace

ThreadTeam::ThreadTeam(int numThreads) {
    for (int others = orOfProcessor(numThreads) - 1; others > 0; --others)
        m_threads.emplace_back([this] { serve(); });
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

void ThreadTeam::forEach(int64_t count, const Body& body) {
    if (count == 0) return;
    std::unique_lock lock(m_mutex);
    m_body = &body;
    m_next = 0;
    m_count = count;
    if (count > 1) m_given.notify_all();
    takeIndices(lock);
    m_done.wait(lock, [this] { return m_numWorking == 0; });
    if (m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void ThreadTeam::split(int64_t count, int64_t grain, const RangeWork& work) {
    const int64_t numParts = std::clamp<int64_t>(count / grain, 1, static_cast<int64_t>(m_threads.size()) + 1);
    if (numParts == 1) return work(0, count);
    forEach(numParts, [&](int64_t part) { work(count * part / numParts, count * (part + 1) / numParts); });
}

void ThreadTeam::serve() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_given.wait(lock, [this] { return m_over || m_next < m_count; });
        if (m_over) return;
        takeIndices(lock);
        if (m_numWorking == 0) m_done.notify_one();
    }
}

// The lock is held but while a body runs; the loop stands still as long as one does.
void ThreadTeam::takeIndices(std::unique_lock<std::mutex>& lock) {
    while (m_next < m_count) {
        const int64_t i = m_next++;
        ++m_numWorking;
        lock.unlock();
        std::exception_ptr failure;
        try {
            (*m_body)(i);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        --m_numWorking;
        if (!failure) continue;
        m_next = m_count;
        if (!m_failure) m_failure = failure;
    }
}

void forEachIndex(int64_t count, int numThreads, const ThreadTeam::Body& body) {
    const int64_t wanted = std::clamp<int64_t>(count, 1, orOfProcessor(numThreads));
    ThreadTeam(static_cast<int>(wanted)).forEach(count, body);
}

} // namespace roundpipe
