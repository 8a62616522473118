// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/listening_socket.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace roundpipe::serve {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses addressesOf(const std::string& host, uint16_t port) {
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int failure = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
    if (host.empty() || failure != 0)
        throw invalidInput("'" + host + "' is no address to listen at: " +
                               (host.empty() ? "it is empty" : ::gai_strerror(failure)) + ".",
                           "Use 127.0.0.1 for this machine alone, 0.0.0.0 for all that reach it.");
    return {found, &::freeaddrinfo};
}

bool isLoopbackAddress(const sockaddr* address) {
    if (address->sa_family == AF_INET)
        return (ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24) == 127;
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

} // namespace

ListeningSocket::ListeningSocket(const std::string& host, uint16_t port) {
    const Addresses addresses = addressesOf(host, port);
    const auto fail = [&](const char* doing) {
        const int error = errno;
        if (m_descriptor >= 0) ::close(m_descriptor);
        throw Error(error == EADDRNOTAVAIL ? ErrorKind::kInvalidInput : ErrorKind::kIo,
                    std::string("Cannot ") + doing + " port " + std::to_string(port) + " of " + host + ": " +
                        std::strerror(error) + ".",
                    error == EADDRINUSE ? "Another program has it: choose another one by --port, or 0 for any."
                                        : "Choose another --host or --port.");
    };
    m_descriptor = ::socket(addresses->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int yes = 1;
    if (m_descriptor < 0 || ::setsockopt(m_descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) fail("open");
    if (::bind(m_descriptor, addresses->ai_addr, addresses->ai_addrlen) != 0) fail("take");
    if (::listen(m_descriptor, SOMAXCONN) != 0) fail("listen at");

    sockaddr_storage own{};
    socklen_t size = sizeof own;
    auto* address = reinterpret_cast<sockaddr*>(&own);
    if (::getsockname(m_descriptor, address, &size) != 0) fail("read");
    char text[INET6_ADDRSTRLEN] = {};
    const bool isV6 = own.ss_family == AF_INET6;
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&own);
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&own);
    ::inet_ntop(own.ss_family, isV6 ? static_cast<const void*>(&v6->sin6_addr) : &v4->sin_addr, text, sizeof text);
    m_port = ntohs(isV6 ? v6->sin6_port : v4->sin_port);
    m_address = isV6 ? "[" + std::string(text) + "]" : text;
    m_isLoopback = isLoopbackAddress(address);
}

ListeningSocket::~ListeningSocket() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

int ListeningSocket::release() {
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    return descriptor;
}

std::string ListeningSocket::url() const {
    return "http://" + m_address + ":" + std::to_string(m_port);
}

} // namespace roundpipe::serve
