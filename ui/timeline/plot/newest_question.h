// SPDX-License-Identifier: GPL-3.0-or-later
// Questions that may take long, answered in a thread of their own, of which only the newest matters.
#pragma once

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace roundpipe::ui::timeline {

// Belongs to the thread of its owner, as a member of it. A question runs in the other thread and may read only what it
// was given: a snapshot, never the store, which goes on growing. What it returns is called in the owner's thread,
// unless something newer was asked meanwhile; nothing is called where it returns nothing.
class NewestQuestion {
public:
    using Answer = std::function<void()>;
    using Question =
        std::function<Answer(const std::stop_token&)>; // told to stop when its answer is not wanted any more

    explicit NewestQuestion(QObject& owner);
    ~NewestQuestion(); // waits until the one under way has stopped
    NewestQuestion(const NewestQuestion&) = delete;
    NewestQuestion& operator=(const NewestQuestion&) = delete;

    void ask(Question question);
    void forget(); // no answer of what was asked before is wanted
    bool isWaiting() const { return m_waiting; }

private:
    void run(const std::stop_token& stop);
    void deliver(uint64_t number, const Answer& answer);

    QObject& m_owner;
    bool m_waiting = false;
    uint64_t m_number = 0; // of the newest question
    std::mutex m_mutex;    // guards what follows
    std::condition_variable_any m_asked;
    Question m_next; // not begun yet; empty: none
    uint64_t m_nextNumber = 0;
    std::stop_source m_underWay; // stops the question that runs, and the next one once it does
    std::jthread m_thread;
};

} // namespace roundpipe::ui::timeline
