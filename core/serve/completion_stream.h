// SPDX-License-Identifier: GPL-3.0-or-later
// An answer as events of a stream ("text/event-stream": HTML Living Standard, "Server-sent events"), made in a thread
// of its own while it is sent.
#pragma once

#include "base/error.h"
#include "serve/completion_answer.h"
#include "serve/http_server.h"
#include "session/chat.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace roundpipe::serve {

struct StreamSettings {
    CompletionAbout about;
    bool includesUsage = false;
    std::function<bool()> clientIsThere; // asked by whoever calls next()
    std::function<bool()>
        mayGoOn; // asked by the answering thread; false: the answer took too long, or the server stops
};

class CompletionStream final : public HttpStream {
public:
    CompletionStream(session::Chat& chat, session::ChatQuestion question, StreamSettings settings);
    ~CompletionStream() override; // ends the answer, and waits for that

    // Blocks until the question is accepted; what is wrong with it, else nothing: then an HTTP answer may begin.
    std::optional<Error> refusal();
    std::optional<std::string> next() override;

private:
    void answer(const session::ChatQuestion& question);
    void put(const std::string& json); // an event
    void putEnd(const session::ChatAnswer& answer);

    session::Chat& m_chat;
    StreamSettings m_settings;
    std::atomic<bool> m_isWanted{true};
    std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    bool m_isAccepted = false;
    bool m_isOver = false;
    std::optional<Error> m_error;
    std::string m_ready;  // events, not sent yet
    std::thread m_thread; // last: it uses the rest
};

} // namespace roundpipe::serve
