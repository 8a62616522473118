// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/http_server.h"

#include "base/error.h"
#include "base/log.h"
#include "serve/client_watch.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <microhttpd.h>
#include <string_view>
#include <sys/socket.h>
#include <utility>

#include <fmt/format.h>

namespace roundpipe::serve {
namespace {

bool isOpen(int descriptor) {
    char byte = 0;
    const ssize_t got = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

std::string headerOf(MHD_Connection* connection, const char* name) {
    const char* value = ::MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value == nullptr ? "" : value;
}

WatchedClient* watched(MHD_Connection* connection) {
    const MHD_ConnectionInfo* info = ::MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return static_cast<WatchedClient*>(info->socket_context);
}

// As a terminal may show it: what a client sends may hold anything.
std::string shown(std::string text) {
    constexpr std::size_t kMost = 120;
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

void logLine(void*, const char* format, va_list values) {
    char line[512];
    std::vsnprintf(line, sizeof line, format, values);
    log::debug(line);
}

// Of a body that nobody wants, so many times the limit are read: a client that still sends would lose the answer when
// the connection is closed.
constexpr int64_t kPatience = 4;

// So many times the places are let in until those that do not send have made room: beyond its own limit the library
// closes whoever comes.
constexpr unsigned kCrowd = 4;

// What the library's callbacks have of a request.
struct IncomingRequest {
    HttpRequest request;
    int64_t bodyBytes = 0;
    std::optional<HttpResponse> refusal = {}; // for when the body is over
};

// The pieces of a stream as the library takes them.
struct Sending {
    ClientWatch& watch;
    WatchedClient* client;
    std::unique_ptr<HttpStream> stream;
    std::string left;

    static ssize_t read(void* self, uint64_t, char* buffer, std::size_t size) {
        auto& sending = *static_cast<Sending*>(self);
        try {
            if (sending.left.empty() && !sending.makeMore()) return MHD_CONTENT_READER_END_OF_STREAM;
        } catch (const std::exception& error) { // as in onRequest()
            log::error(error.what());
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
        const std::size_t count = std::min(size, sending.left.size());
        std::memcpy(buffer, sending.left.data(), count);
        sending.left.erase(0, count);
        return static_cast<ssize_t>(count);
    }
    static void end(void* self) { delete static_cast<Sending*>(self); }

    bool makeMore() {
        watch.set(client, false);
        std::optional<std::string> piece = stream->next();
        watch.set(client, true);
        if (piece) left = std::move(*piece);
        return piece.has_value();
    }
};

} // namespace

class HttpServer::Daemon {
public:
    Daemon(ListeningSocket& socket, const HttpLimits& limits, HttpHandler& handler)
        : m_limits(limits), m_handler(handler), m_watch(limits.clientTime, limits.numConnections) {
        const int descriptor = socket.release();
        m_daemon = ::MHD_start_daemon(
            MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ERROR_LOG, 0,
            nullptr, nullptr, &onRequest, this, MHD_OPTION_EXTERNAL_LOGGER, &logLine, nullptr, MHD_OPTION_LISTEN_SOCKET,
            descriptor, MHD_OPTION_CONNECTION_LIMIT, kCrowd * limits.numConnections, MHD_OPTION_NOTIFY_COMPLETED,
            &onCompleted, this, MHD_OPTION_NOTIFY_CONNECTION, &onConnection, this, MHD_OPTION_END);
        if (m_daemon == nullptr) throw ioError("serve at", socket.url(), errno);
    }
    ~Daemon() { ::MHD_stop_daemon(m_daemon); }
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;

private:
    static void onConnection(void* self, MHD_Connection* connection, void** context,
                             MHD_ConnectionNotificationCode code) {
        ClientWatch& watch = static_cast<Daemon*>(self)->m_watch;
        if (code == MHD_CONNECTION_NOTIFY_STARTED) {
            *context = watch.open(::MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
        } else {
            watch.close(static_cast<WatchedClient*>(*context));
            *context = nullptr;
        }
    }

    static void onCompleted(void* self, MHD_Connection* connection, void** received, MHD_RequestTerminationCode) {
        delete static_cast<IncomingRequest*>(*received);
        *received = nullptr;
        if (WatchedClient* client = watched(connection)) static_cast<Daemon*>(self)->m_watch.set(client, true);
    }

    // Once for the headers, once for each piece of the body, once when all is there.
    static MHD_Result onRequest(void* self, MHD_Connection* connection, const char* url, const char* method,
                                const char*, const char* data, std::size_t* size, void** received) {
        auto& daemon = *static_cast<Daemon*>(self);
        try {
            if (*received == nullptr) return daemon.begin(connection, url, method, received);
            auto& now = *static_cast<IncomingRequest*>(*received);
            if (*size == 0) return daemon.finish(connection, now);
            const bool goesOn = daemon.take(now, {data, *size});
            *size = 0;
            return goesOn ? MHD_YES : MHD_NO;
        } catch (const std::exception& error) { // of memory: a C library is no place to throw through
            log::error(error.what());
            return MHD_NO;
        }
    }

    MHD_Result begin(MHD_Connection* connection, const char* url, const char* method, void** received) {
        auto head = std::make_unique<IncomingRequest>();
        HttpRequest& request = head->request;
        request.method = method;
        request.path = url;
        request.host = headerOf(connection, MHD_HTTP_HEADER_HOST);
        request.authorization = headerOf(connection, MHD_HTTP_HEADER_AUTHORIZATION);
        request.contentType = headerOf(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
        const int descriptor = watched(connection)->descriptor;
        request.clientIsThere = [descriptor] { return isOpen(descriptor); };
        head->refusal = m_handler.refuse(request);
        IncomingRequest& now = *head;
        *received = head.release();
        const int64_t length = std::strtoll(headerOf(connection, MHD_HTTP_HEADER_CONTENT_LENGTH).c_str(), nullptr, 10);
        if (!now.refusal && length > m_limits.bodyBytes) now.refusal = tooLarge();
        if (length > kPatience * m_limits.bodyBytes) return send(connection, now, *std::exchange(now.refusal, {}));
        return MHD_YES;
    }

    bool take(IncomingRequest& received, std::string_view piece) {
        received.bodyBytes += std::ssize(piece);
        if (!received.refusal && received.bodyBytes > m_limits.bodyBytes) received.refusal = tooLarge();
        if (!received.refusal) received.request.body += piece;
        return received.bodyBytes <= kPatience * m_limits.bodyBytes;
    }

    MHD_Result finish(MHD_Connection* connection, IncomingRequest& received) {
        if (received.refusal) return send(connection, received, *std::exchange(received.refusal, {}));
        m_watch.set(watched(connection), false);
        HttpResponse answer = m_handler.answer(received.request);
        m_watch.set(watched(connection), true);
        return send(connection, received, std::move(answer));
    }

    HttpResponse tooLarge() {
        return m_handler.failure(413,
                                 "The request's body has more than " + std::to_string(m_limits.bodyBytes) + " bytes.");
    }

    MHD_Result send(MHD_Connection* connection, const IncomingRequest& received, HttpResponse answer) {
        constexpr std::size_t kPieceBytes = 16384;
        log::info(fmt::format("{} {} ({} bytes): {}{}", shown(received.request.method), shown(received.request.path),
                              received.bodyBytes, answer.status, answer.stream ? ", as a stream" : ""));
        MHD_Response* response =
            answer.stream
                ? ::MHD_create_response_from_callback(
                      MHD_SIZE_UNKNOWN, kPieceBytes, &Sending::read,
                      new Sending{m_watch, watched(connection), std::move(answer.stream), {}}, &Sending::end)
                : ::MHD_create_response_from_buffer(answer.body.size(), answer.body.data(), MHD_RESPMEM_MUST_COPY);
        if (response == nullptr) return MHD_NO;
        ::MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer.contentType.c_str());
        ::MHD_add_response_header(response, "Cache-Control", "no-store");
        for (const auto& [name, value] : answer.headers)
            ::MHD_add_response_header(response, name.c_str(), value.c_str());
        const MHD_Result queued = ::MHD_queue_response(connection, static_cast<unsigned>(answer.status), response);
        ::MHD_destroy_response(response);
        return queued;
    }

    HttpLimits m_limits;
    HttpHandler& m_handler;
    ClientWatch m_watch;
    MHD_Daemon* m_daemon = nullptr;
};

HttpServer::HttpServer(ListeningSocket& socket, const HttpLimits& limits, HttpHandler& handler)
    : m_daemon(std::make_unique<Daemon>(socket, limits, handler)) {}

HttpServer::~HttpServer() = default;

} // namespace roundpipe::serve
