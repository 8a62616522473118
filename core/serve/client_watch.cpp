// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/client_watch.h"

#include <sys/socket.h>

namespace roundpipe::serve {

ClientWatch::ClientWatch(std::chrono::seconds limit) : m_limit(limit), m_thread([this] { watch(); }) {}

ClientWatch::~ClientWatch() {
    {
        const std::scoped_lock lock(m_mutex);
        m_isOver = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

WatchedClient* ClientWatch::open(int descriptor) {
    const std::scoped_lock lock(m_mutex);
    m_clients.push_back({descriptor});
    return &m_clients.back();
}

void ClientWatch::close(WatchedClient* client) {
    const std::scoped_lock lock(m_mutex);
    m_clients.remove_if([&](const WatchedClient& each) { return &each == client; });
}

void ClientWatch::set(WatchedClient* client, bool isWaitedFor) {
    const std::scoped_lock lock(m_mutex);
    client->isWaitedFor = isWaitedFor;
    client->since = std::chrono::steady_clock::now();
}

void ClientWatch::watch() {
    constexpr std::chrono::milliseconds kLook{250};
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kLook, [this] { return m_isOver; }))
        for (const WatchedClient& client : m_clients)
            if (client.isWaitedFor && std::chrono::steady_clock::now() - client.since > m_limit)
                ::shutdown(client.descriptor, SHUT_RDWR);
}

} // namespace roundpipe::serve
