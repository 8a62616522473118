// SPDX-License-Identifier: GPL-3.0-or-later
// The thread in which a model is loaded and asked; what it says is taken by whoever looks.
#pragma once

#include "base/error.h"
#include "session/chat.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace roundpipe::ui::bridge {

struct ChatLoading {
    session::Activity activity;
};
struct ChatLoaded {
    session::ChatAbout about;
    double seconds = 0;
};
struct ChatFailed {
    std::string problem, advice;
    ErrorKind kind = ErrorKind::kInternal;
    bool ofLoading = false;
};
struct ChatLeft {}; // the model was forgotten
struct ChatAsked {
    std::size_t question = 0;
};
struct ChatPieces {
    std::size_t question = 0;
    std::string text;
    int64_t numTokens = 0;    // so far
    double promptSeconds = 0; // until the first of them
    double answerSeconds = 0; // for those after it
};
struct ChatAnswered {
    std::size_t question = 0;
    session::ChatAnswer answer;
};
struct ChatAllAnswered {};
using ChatNews =
    std::variant<ChatLoading, ChatLoaded, ChatFailed, ChatLeft, ChatAsked, ChatPieces, ChatAnswered, ChatAllAnswered>;

// Calls come from one thread, any; none waits but the destructor, for the piece that is under way.
class ChatWorker {
public:
    ChatWorker();
    ~ChatWorker();

    void load(session::ChatOpener open, const session::ChatSetup& setup);
    void unload(); // ends in ChatLeft, also where nothing is loaded
    void ask(std::vector<session::ChatQuestion> questions);
    void stop(); // loading or answering

    std::vector<ChatNews> takeNews(); // in order

private:
    struct Loading {
        session::ChatOpener open;
        session::ChatSetup setup;
    };
    struct Leaving {};
    using Task = std::variant<Loading, Leaving, std::vector<session::ChatQuestion>>;

    void give(Task task);
    void work(const std::stop_token& stop);
    void perform(Loading& loading);
    void perform(Leaving&);
    void perform(std::vector<session::ChatQuestion>& questions);
    bool answer(std::size_t index, const session::ChatQuestion& question); // false: the rest is not asked
    void tell(ChatNews news);
    template <class Work>
    bool tellsOfFailure(bool ofLoading, const Work& work);

    std::unique_ptr<session::Chat> m_chat; // the thread's
    std::atomic<bool> m_stops = false;
    std::mutex m_mutex; // guards what follows
    std::condition_variable_any m_told;
    std::vector<Task> m_tasks;
    std::vector<ChatNews> m_news;
    std::jthread m_thread;
};

} // namespace roundpipe::ui::bridge
