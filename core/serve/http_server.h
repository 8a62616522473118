// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and answers of HTTP/1.1, by GNU libmicrohttpd: a thread a connection, with limits of size, number and time.
#pragma once

#include "serve/listening_socket.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roundpipe::serve {

struct HttpRequest {
    std::string method; // "POST"
    std::string path;   // without what stands behind '?'
    std::string host, authorization, contentType;
    std::string body;
    std::function<bool()> clientIsThere; // while it is answered
};

// A body that is made while it is sent.
class HttpStream {
public:
    virtual ~HttpStream() = default;
    // The next piece, not empty; nothing: it is over. Blocks, but for no longer than some seconds once the server
    // stops.
    virtual std::optional<std::string> next() = 0;
};

struct HttpResponse {
    int status = 200;
    std::string contentType = "application/json";
    std::string body = {};
    std::unique_ptr<HttpStream> stream = {}; // in place of the body; destroyed when the client has it all or is gone
    std::vector<std::pair<std::string, std::string>> headers = {};
};

// Called by any number of threads at once. Throws nothing.
class HttpHandler {
public:
    virtual ~HttpHandler() = default;
    // Before the body is read; nothing: it is wanted. Otherwise it is passed over, and what is returned sent.
    virtual std::optional<HttpResponse> refuse(const HttpRequest& head) = 0;
    virtual HttpResponse answer(const HttpRequest& request) = 0;
    virtual HttpResponse failure(int status, const std::string& message) = 0; // in the handler's own form
};

struct HttpLimits {
    int64_t bodyBytes = int64_t{4} << 20;
    unsigned numConnections = 64; // more for a moment, until those that are waited for longest have gone
    // For a client to send a request from its first byte to its last, or the next one; and to take what it is sent.
    std::chrono::seconds clientTime{30};
};

class HttpServer {
public:
    // Serves from now on. `handler` outlives it. Throws kIo.
    HttpServer(ListeningSocket& socket, const HttpLimits& limits, HttpHandler& handler);
    ~HttpServer(); // closes all connections, once the handler's calls have come back

private:
    class Daemon;
    std::unique_ptr<Daemon> m_daemon;
};

} // namespace roundpipe::serve
