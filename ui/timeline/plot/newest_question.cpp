// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/plot/newest_question.h"

#include <utility>

namespace roundpipe::ui::timeline {

NewestQuestion::NewestQuestion(QObject& owner)
    : m_owner(owner), m_thread([this](const std::stop_token& stop) { run(stop); }) {}

NewestQuestion::~NewestQuestion() {
    forget();
    m_thread.request_stop();
    m_thread.join();
}

void NewestQuestion::ask(Question question) {
    m_waiting = true;
    Question replaced = std::move(question); // what it holds is let go of outside of the lock
    {
        const std::scoped_lock lock(m_mutex);
        m_underWay.request_stop();
        m_underWay = {};
        std::swap(m_next, replaced);
        m_nextNumber = ++m_number;
    }
    m_asked.notify_one();
}

void NewestQuestion::forget() {
    m_waiting = false;
    Question replaced;
    const std::scoped_lock lock(m_mutex);
    m_underWay.request_stop();
    std::swap(m_next, replaced);
    ++m_number;
}

void NewestQuestion::run(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (m_asked.wait(lock, stop, [this] { return static_cast<bool>(m_next); })) {
        {
            const Question question =
                std::exchange(m_next, {}); // gone with all it holds before the lock is taken again
            const uint64_t number = m_nextNumber;
            const std::stop_token unwanted = m_underWay.get_token();
            lock.unlock();
            QMetaObject::invokeMethod(
                &m_owner, [this, number, answer = question(unwanted)] { deliver(number, answer); },
                Qt::QueuedConnection);
        }
        lock.lock();
    }
}

void NewestQuestion::deliver(uint64_t number, const Answer& answer) {
    if (number != m_number) return;
    m_waiting = false;
    if (answer) answer();
}

} // namespace roundpipe::ui::timeline
