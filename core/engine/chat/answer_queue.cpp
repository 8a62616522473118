// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chat/answer_queue.h"

#include <chrono>

namespace roundpipe::engine {

bool AnswerQueue::wait(const std::function<bool()>& goOn) {
    constexpr std::chrono::milliseconds kLook{50};
    std::unique_lock lock(m_mutex);
    const uint64_t mine = ++m_last;
    m_queue.push_back(mine);
    const auto isMine = [&] { return m_queue.front() == mine; };
    while (!m_moved.wait_for(lock, kLook, isMine)) {
        lock.unlock();
        bool wanted = false;
        try {
            wanted = goOn();
        } catch (...) {
            lock.lock();
            std::erase(m_queue, mine);
            m_moved.notify_all();
            throw;
        }
        lock.lock();
        if (wanted) continue;
        std::erase(m_queue, mine);
        m_moved.notify_all();
        return false;
    }
    return true;
}

void AnswerQueue::end() {
    const std::scoped_lock lock(m_mutex);
    m_queue.pop_front();
    m_moved.notify_all();
}

} // namespace roundpipe::engine
