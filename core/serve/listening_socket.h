// SPDX-License-Identifier: GPL-3.0-or-later
// Where a server is reached.
#pragma once

#include <cstdint>
#include <string>

namespace roundpipe::serve {

class ListeningSocket {
public:
    // `host`: an address of this machine or its name; `port` 0: any that is free. Throws kInvalidInput for a host that
    // is none of this machine's, kIo where the port is taken.
    ListeningSocket(const std::string& host, uint16_t port);
    ~ListeningSocket();
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;

    int release(); // the descriptor, which is the caller's from now on
    uint16_t port() const { return m_port; }
    bool isLoopback() const { return m_isLoopback; } // only programs of this machine reach it
    std::string url() const;                         // "http://127.0.0.1:8080"

private:
    int m_descriptor = -1;
    uint16_t m_port = 0;
    bool m_isLoopback = false;
    std::string m_address; // as a URL has it
};

} // namespace roundpipe::serve
