// SPDX-License-Identifier: GPL-3.0-or-later
// One connection to servers by HTTP, through libcurl.
#pragma once

#include "hub/about/hub_settings.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace roundpipe::hub {

struct HttpAnswer {
    int status = 0;                             // 0: none came, for the reason in `failure`
    std::string failure;                        // of the connection: "the connection was cut", "no such host"
    std::string host;                           // that answered last
    std::string url;                            // that answered last
    std::map<std::string, std::string> headers; // names in small letters
    std::string body;                           // where no sink took it

    bool succeeded() const { return status >= 200 && status < 300 && failure.empty(); }
    std::string header(const std::string& name) const; // empty where there is none
    // A later try may help: the connection was cut or never made, 408, 429, 5xx.
    bool mayPass() const;
    std::optional<int64_t> retryAfterSeconds() const; // as the server asks
};

struct HttpQuestion {
    std::string url;
    int64_t firstByte = 0;       // > 0: only from there on; a server that does not know how sends everything
    int64_t maxBytes = 64 << 20; // of a body without a sink
    // Called in this thread with the body of a successful answer as it comes, and before it with its head. What they
    // throw ends the answer and reaches the caller.
    std::function<void(const HttpAnswer& head)> onHead = {};
    std::function<void(std::string_view bytes)> onBytes = {};
};

// For one thread. The token goes to the settings' endpoint only: redirections are followed here, and neither to another
// host nor to another port or scheme does it travel. From https none leads to http.
class HttpClient {
public:
    HttpClient(const HubSettings& settings, std::stop_token stop);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    // Failures of the connection are in the answer. Throws kCancelled once `stop` is asked for, kInvalidInput for an
    // answer that is larger than it may be or that leads to no web address.
    HttpAnswer get(const HttpQuestion& question);

private:
    struct Exchange;
    HttpAnswer getOnce(const std::string& url, const HttpQuestion& question);

    const HubSettings& m_settings;
    std::stop_token m_stop;
    void* m_curl = nullptr;
};

// A text as a part of an address: all but letters, digits and -_.~ as %XX, `kept` too.
std::string urlEncoded(std::string_view text, std::string_view kept = "");

} // namespace roundpipe::hub
