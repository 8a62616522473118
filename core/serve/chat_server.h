// SPDX-License-Identifier: GPL-3.0-or-later
// An OpenAI-compatible endpoint over a session::Chat: /v1/chat/completions, /v1/models, /health.
#pragma once

#include "serve/http_server.h"
#include "session/chat.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace roundpipe::serve {

// What a client asks by its name.
struct ServedModel {
    std::string name;
    std::vector<session::AdapterWeight> adapters = {}; // none: the base model
};

struct ServeOptions {
    std::string host = "127.0.0.1";
    uint16_t port = 8080;                 // 0: any
    std::string key = {};                 // clients send it as a bearer's token; empty: none is asked for
    std::vector<ServedModel> models = {}; // each with its own name
    session::SamplingOptions sampling =
        {};                               // where a request leaves it open; maxNewTokens is the most that one may have
    bool drawsSeeds = true;               // one for each request that names none; false: that of `sampling`
    int64_t numWaiting = 16;              // requests beside the one that is answered
    std::chrono::seconds answerTime{600}; // of one, waiting included
    HttpLimits limits = {};
};

class ChatServer {
public:
    // Takes the port; who comes before serve() waits. Throws kInvalidInput for two models of one name, for a key that
    // is short or has other characters than letters, digits and signs, and where other machines could reach it without
    // one; kIo where the port is taken.
    explicit ChatServer(ServeOptions options);
    ~ChatServer(); // ends what is being answered, and tells its clients

    void serve(session::Chat& chat); // from now on; once. `chat` outlives it
    std::string url() const;         // "http://127.0.0.1:8080"

private:
    class Endpoint;
    ServeOptions m_options;
    ListeningSocket m_socket;
    std::unique_ptr<Endpoint> m_endpoint;
    std::unique_ptr<HttpServer> m_server; // last: it calls the endpoint
};

} // namespace roundpipe::serve
