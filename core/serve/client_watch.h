// SPDX-License-Identifier: GPL-3.0-or-later
// Ends connections whose client takes too long: one that sends a byte now and then is never idle for the library.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

namespace roundpipe::serve {

// A connection whose client is waited for since `since`, or whose answer is being made.
struct WatchedClient {
    int descriptor = -1;
    bool isWaitedFor = true;
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

// Any thread.
class ClientWatch {
public:
    explicit ClientWatch(std::chrono::seconds limit);
    ~ClientWatch();

    WatchedClient* open(int descriptor);
    void close(WatchedClient* client); // before its descriptor is
    void set(WatchedClient* client, bool isWaitedFor);

private:
    void watch();

    std::chrono::seconds m_limit;
    std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::list<WatchedClient> m_clients;
    bool m_isOver = false;
    std::thread m_thread; // last: it uses the rest
};

} // namespace roundpipe::serve
