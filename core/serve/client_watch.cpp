// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/client_watch.h"

#include "base/log.h"

#include <algorithm>
#include <sys/socket.h>

#include <fmt/format.h>

namespace roundpipe::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{250};
constexpr std::chrono::milliseconds kJustCome{500}; // within which a client that is in earnest sends its request

} // namespace

ClientWatch::ClientWatch(std::chrono::seconds limit, unsigned numPlaces)
    : m_limit(limit), m_numPlaces(numPlaces), m_thread([this] { watch(); }) {}

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
    makeRoom();
    return &m_clients.back();
}

void ClientWatch::close(WatchedClient* client) {
    const std::scoped_lock lock(m_mutex);
    m_clients.remove_if([&](const WatchedClient& each) { return &each == client; });
}

void ClientWatch::set(WatchedClient* client, bool isWaitedFor) {
    const std::scoped_lock lock(m_mutex);
    client->isWaitedFor = isWaitedFor;
    client->since = Clock::now();
}

void ClientWatch::cutOff(WatchedClient& client) {
    ::shutdown(client.descriptor, SHUT_RDWR);
    client.isCutOff = true;
    const std::chrono::duration<double> waited = Clock::now() - client.since;
    log::info(fmt::format("A client was cut off after it was waited for {:.1f} s.", waited.count()));
}

void ClientWatch::makeRoom() {
    const auto isHere = [](const WatchedClient& client) { return !client.isCutOff; };
    for (auto numHere = std::ranges::count_if(m_clients, isHere); numHere > std::ptrdiff_t{m_numPlaces}; --numHere) {
        WatchedClient* longest = nullptr;
        for (WatchedClient& client : m_clients)
            if (isHere(client) && client.isWaitedFor && Clock::now() - client.since > kJustCome &&
                (longest == nullptr || client.since < longest->since))
                longest = &client;
        if (longest == nullptr) return;
        cutOff(*longest);
    }
}

void ClientWatch::watch() {
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kBetweenLooks, [this] { return m_isOver; })) {
        for (WatchedClient& client : m_clients)
            if (!client.isCutOff && client.isWaitedFor && Clock::now() - client.since > m_limit) cutOff(client);
        makeRoom();
    }
}

} // namespace roundpipe::serve
