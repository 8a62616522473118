// SPDX-License-Identifier: GPL-3.0-or-later
#include "hub/net/http_client.h"

#include "base/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ctime>
#include <exception>
#include <mutex>

#include <curl/curl.h>
#include <fmt/format.h>

namespace roundpipe::hub {
namespace {

constexpr int kMaxRedirections = 5;
constexpr long kConnectSeconds = 20;
constexpr std::size_t kMaxHeaderBytes = 1 << 16;

struct CurlUrl {
    CURLU* handle = ::curl_url();
    CurlUrl() = default;
    CurlUrl(const CurlUrl&) = delete;
    CurlUrl& operator=(const CurlUrl&) = delete;
    ~CurlUrl() { ::curl_url_cleanup(handle); }

    std::string part(CURLUPart which) const {
        char* text = nullptr;
        if (::curl_url_get(handle, which, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
        std::string taken = text;
        ::curl_free(text);
        return taken;
    }
};

// Scheme, host and port: what may know a secret of the same.
std::string originOf(const std::string& url) {
    const CurlUrl parsed;
    if (::curl_url_set(parsed.handle, CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return {};
    return parsed.part(CURLUPART_SCHEME) + "://" + parsed.part(CURLUPART_HOST) + ":" + parsed.part(CURLUPART_PORT);
}

std::string hostOf(const std::string& url) {
    const CurlUrl parsed;
    if (::curl_url_set(parsed.handle, CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return {};
    return parsed.part(CURLUPART_HOST);
}

// Where `location` leads from `url`; empty where it is no address of the web, or leads from https to http.
std::string redirected(const std::string& url, const std::string& location) {
    const CurlUrl parsed;
    if (::curl_url_set(parsed.handle, CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return {};
    const std::string before = parsed.part(CURLUPART_SCHEME);
    if (::curl_url_set(parsed.handle, CURLUPART_URL, location.c_str(), 0) != CURLUE_OK) return {};
    const std::string scheme = parsed.part(CURLUPART_SCHEME);
    if (scheme != "https" && !(scheme == "http" && before == "http")) return {};
    return parsed.part(CURLUPART_URL);
}

bool isEncrypted(const std::string& url) {
    return url.starts_with("https://");
}

bool isOnThisMachine(const std::string& url) {
    const std::string host = hostOf(url);
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

// A secret is not read out in the street: plain http may carry it within this machine only.
bool mayCarrySecrets(const std::string& url) {
    return isEncrypted(url) || isOnThisMachine(url);
}

std::string wordsFor(CURLcode code) {
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return "its name is not known here";
    case CURLE_COULDNT_CONNECT:
        return "it takes no connection";
    case CURLE_OPERATION_TIMEDOUT:
        return "it does not answer";
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
        return "the connection was cut";
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        return "it cannot show that it is the one it says (its certificate)";
    default:
        return ::curl_easy_strerror(code);
    }
}

std::string lowered(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

} // namespace

std::string HttpAnswer::header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
}

bool HttpAnswer::mayPass() const {
    return !failure.empty() || status == 408 || status == 429 || status >= 500;
}

std::optional<int64_t> HttpAnswer::retryAfterSeconds() const {
    const std::string text = header("retry-after");
    int64_t seconds = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (!text.empty() && failed == std::errc() && end == text.data() + text.size() && seconds >= 0) return seconds;
    const std::time_t when = ::curl_getdate(text.c_str(), nullptr);
    if (text.empty() || when < 0) return std::nullopt;
    return std::max<int64_t>(0, when - std::time(nullptr));
}

// What the callbacks of one answer share.
struct HttpClient::Exchange {
    CURL* curl = nullptr;
    const HttpQuestion& question;
    const std::stop_token& stop;
    HttpAnswer answer = {};
    std::size_t headerBytes = 0;
    bool headGiven = false;
    std::exception_ptr thrown = {};

    bool takes() const { return question.onBytes && answer.status >= 200 && answer.status < 300; }

    void begin() {
        if (headGiven) return;
        headGiven = true;
        long status = 0;
        ::curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        answer.status = static_cast<int>(status);
        if (takes() && question.onHead) question.onHead(answer);
    }

    void take(std::string_view bytes) {
        begin();
        if (takes()) return question.onBytes(bytes);
        if (answer.body.size() + bytes.size() > static_cast<std::size_t>(question.maxBytes))
            throw invalidInput(fmt::format("The answer of '{}' is larger than {} bytes, which is more than an answer "
                                           "to this question has.",
                                           answer.host, question.maxBytes),
                               "See whether HF_ENDPOINT names a mirror of the Hub.");
        answer.body += bytes;
    }

    static std::size_t onBody(const char* bytes, std::size_t one, std::size_t count, void* self) {
        auto& exchange = *static_cast<Exchange*>(self);
        try {
            exchange.take({bytes, one * count});
            return one * count;
        } catch (...) {
            exchange.thrown = std::current_exception();
            return CURL_WRITEFUNC_ERROR;
        }
    }

    static std::size_t onHeader(const char* bytes, std::size_t one, std::size_t count, void* self) {
        auto& exchange = *static_cast<Exchange*>(self);
        std::string_view line(bytes, one * count);
        exchange.headerBytes += line.size();
        if (exchange.headerBytes > kMaxHeaderBytes) return 0;
        if (line.starts_with("HTTP/")) exchange.answer.headers.clear(); // of an interim answer
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) return one * count;
        std::string_view value = line.substr(colon + 1);
        while (!value.empty() && std::isspace(static_cast<unsigned char>(value.front())))
            value.remove_prefix(1);
        while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back())))
            value.remove_suffix(1);
        exchange.answer.headers[lowered(line.substr(0, colon))] = value;
        return one * count;
    }

    static int onProgress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        return static_cast<Exchange*>(self)->stop.stop_requested() ? 1 : 0;
    }
};

HttpClient::HttpClient(const HubSettings& settings, std::stop_token stop)
    : m_settings(settings), m_stop(std::move(stop)) {
    static std::once_flag once;
    std::call_once(once, [] { ::curl_global_init(CURL_GLOBAL_DEFAULT); });
    m_curl = ::curl_easy_init();
    RP_CHECK(m_curl != nullptr);
}

HttpClient::~HttpClient() {
    ::curl_easy_cleanup(m_curl);
}

HttpAnswer HttpClient::get(const HttpQuestion& question) {
    std::string url = question.url;
    for (int i = 0; i <= kMaxRedirections; ++i) {
        HttpAnswer answer = getOnce(url, question);
        const std::string location = answer.header("location");
        if (answer.status < 300 || answer.status > 399 || location.empty()) return answer;
        const std::string next = redirected(url, location);
        if (next.empty())
            throw invalidInput(fmt::format("'{}' leads to an address that is not followed, as it is not of the web or "
                                           "not encrypted.",
                                           answer.host),
                               "See whether HF_ENDPOINT names a mirror of the Hub.");
        url = next;
    }
    throw invalidInput(fmt::format("'{}' leads from address to address without an end.", hostOf(question.url)),
                       "See whether HF_ENDPOINT names a mirror of the Hub.");
}

HttpAnswer HttpClient::getOnce(const std::string& url, const HttpQuestion& question) {
    if (m_stop.stop_requested()) throw Error(ErrorKind::kCancelled, "The fetch was stopped.");
    Exchange exchange{.curl = m_curl, .question = question, .stop = m_stop};
    exchange.answer.host = hostOf(url);
    exchange.answer.url = url;

    curl_slist* headers = nullptr;
    const auto addHeader = [&](const std::string& line) { headers = ::curl_slist_append(headers, line.c_str()); };
    const bool isEndpoint = originOf(url) == originOf(m_settings.endpoint);
    if (!m_settings.token.empty() && isEndpoint && mayCarrySecrets(url))
        addHeader("Authorization: Bearer " + m_settings.token.secret());
    if (question.firstByte > 0) addHeader(fmt::format("Range: bytes={}-", question.firstByte));
    addHeader("Accept-Encoding: identity"); // files are hashed as they are

    ::curl_easy_reset(m_curl); // keeps its connections
    const auto set = [&](CURLoption option, auto value) { ::curl_easy_setopt(m_curl, option, value); };
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_USERAGENT, "roundpipe/" ROUNDPIPE_VERSION);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    if (!isEncrypted(url) && isOnThisMachine(url)) set(CURLOPT_PROXY, ""); // it would read what only we may
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(m_settings.silence.count()));
    set(CURLOPT_WRITEFUNCTION, &Exchange::onBody);
    set(CURLOPT_WRITEDATA, &exchange);
    set(CURLOPT_HEADERFUNCTION, &Exchange::onHeader);
    set(CURLOPT_HEADERDATA, &exchange);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Exchange::onProgress);
    set(CURLOPT_XFERINFODATA, &exchange);
    const CURLcode code = ::curl_easy_perform(m_curl);
    ::curl_slist_free_all(headers);

    if (m_stop.stop_requested()) throw Error(ErrorKind::kCancelled, "The fetch was stopped.");
    if (exchange.thrown) std::rethrow_exception(exchange.thrown);
    if (code != CURLE_OK)
        exchange.answer.failure = m_settings.token.redacted(wordsFor(code));
    else
        exchange.begin(); // of an empty body
    return exchange.answer;
}

std::string urlEncoded(std::string_view text, std::string_view kept) {
    std::string encoded;
    for (const char c : text) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                             kept.find(c) != std::string_view::npos ||
                             std::string_view("-_.~").find(c) != std::string_view::npos;
        encoded += isPlain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return encoded;
}

} // namespace roundpipe::hub
