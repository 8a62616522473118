// SPDX-License-Identifier: GPL-3.0-or-later
// Ends connections whose client takes too long: one that sends a byte now and then is never idle for the library. Where
// there are more clients than places, those go that are waited for longest, so that such as never send anything keep
// nobody out; one that has just come, or is being answered, stays.
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
    bool isCutOff = false; // its place is free soon
};

// Any thread.
class ClientWatch {
public:
    ClientWatch(std::chrono::seconds limit, unsigned numPlaces);
    ~ClientWatch();

    WatchedClient* open(int descriptor);
    void close(WatchedClient* client); // before its descriptor is
    void set(WatchedClient* client, bool isWaitedFor);

private:
    void watch();
    void cutOff(WatchedClient& client); // these two with the mutex held
    void makeRoom();

    std::chrono::seconds m_limit;
    unsigned m_numPlaces;
    std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    std::list<WatchedClient> m_clients;
    bool m_isOver = false;
    std::thread m_thread; // last: it uses the rest
};

} // namespace roundpipe::serve
