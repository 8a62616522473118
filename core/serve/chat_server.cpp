// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/chat_server.h"

#include "base/error.h"
#include "base/log.h"
#include "serve/completion_answer.h"
#include "serve/completion_request.h"
#include "serve/completion_stream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <random>
#include <set>
#include <string_view>
#include <thread>

namespace roundpipe::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kShortestKey = 8;
constexpr std::chrono::seconds kFarewell{5};
constexpr const char* kCompletions = "/v1/chat/completions";
constexpr const char* kModels = "/v1/models";

HttpResponse refusalOf(int status, const std::string& message, const std::string& code = {}) {
    HttpResponse answer;
    answer.status = status;
    answer.body = errorJson(status, message, code);
    return answer;
}

// Takes as long for any key of its length.
bool isEqual(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

// Of ASCII, as names in headers are.
std::string lowered(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

bool hasKey(const std::string& authorization, const std::string& key) {
    const std::size_t end = authorization.find(' ');
    if (end == std::string::npos || lowered(authorization.substr(0, end)) != "bearer") return false;
    return isEqual(authorization.substr(std::min(authorization.find_first_not_of(' ', end), authorization.size())),
                   key);
}

// Without what stands behind ';'.
bool isJson(const std::string& contentType) {
    std::string type = lowered(contentType.substr(0, contentType.find(';')));
    type.erase(type.find_last_not_of(" \t") + 1);
    return type == "application/json";
}

bool isOwnName(std::string host) {
    const std::size_t colon = host.rfind(':');
    if (colon != std::string::npos && host.find(']', colon) == std::string::npos) host.erase(colon);
    return host.empty() || host == "localhost" || host == "[::1]" ||
           (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos);
}

uint64_t drawnSeed() {
    std::random_device source;
    return uint64_t{source()} << 32 | source();
}

// One of the requests that are answered or wait.
class Place {
public:
    Place(std::atomic<int64_t>& taken, int64_t limit) : m_taken(taken), m_isFree(taken.fetch_add(1) < limit) {}
    ~Place() { m_taken.fetch_sub(1); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    bool isFree() const { return m_isFree; }

private:
    std::atomic<int64_t>& m_taken;
    bool m_isFree;
};

// Keeps its place until the client has all of it.
class PlacedStream final : public HttpStream {
public:
    PlacedStream(std::unique_ptr<Place> place, std::unique_ptr<CompletionStream> stream)
        : m_place(std::move(place)), m_stream(std::move(stream)) {}
    std::optional<std::string> next() override { return m_stream->next(); }

private:
    std::unique_ptr<Place> m_place;
    std::unique_ptr<CompletionStream> m_stream;
};

void check(const ServeOptions& options, const ListeningSocket& socket) {
    std::set<std::string> names;
    for (const ServedModel& model : options.models)
        if (!names.insert(model.name).second)
            throw invalidInput("Two models have the name '" + model.name + "'.",
                               "Give the adapter another one: NAME=DIR.");
    const auto isPlain = [](char c) { return c > ' ' && c < 127; };
    if (!options.key.empty() && (options.key.size() < kShortestKey || !std::ranges::all_of(options.key, isPlain)))
        throw invalidInput("The key is too short, or has blanks or letters beyond ASCII.",
                           fmt::format("Use at least {} letters, digits and signs.", kShortestKey));
    if (options.key.empty() && !socket.isLoopback())
        throw invalidInput("At " + options.host + " other machines reach the server, and no key is asked for.",
                           "Give --key-file, or serve at 127.0.0.1.");
}

} // namespace

class ChatServer::Endpoint final : public HttpHandler {
public:
    Endpoint(session::Chat& chat, ServeOptions options, bool isLoopback)
        : m_chat(chat), m_options(std::move(options)), m_isLoopback(isLoopback), m_drawn(std::random_device{}()) {}

    // Ends all answers, and waits until their clients were told, unless they take long.
    void stop() {
        m_isStopping = true;
        const Clock::time_point until = Clock::now() + kFarewell;
        while (m_taken > 0 && Clock::now() < until)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }

    std::optional<HttpResponse> refuse(const HttpRequest& head) override {
        // A page in a browser of this machine may call any name its own; then it asks in that name.
        if (m_isLoopback && m_options.key.empty() && !isOwnName(head.host))
            return refusalOf(403, "The server is reached as localhost or 127.0.0.1 only.");
        if (head.path != "/health" && !m_options.key.empty() && !hasKey(head.authorization, m_options.key)) {
            HttpResponse answer = refusalOf(401, "The key is wrong or missing.", "invalid_api_key");
            answer.headers.emplace_back("WWW-Authenticate", "Bearer");
            return answer;
        }
        const char* method = methodOf(head.path);
        if (method == nullptr) return refusalOf(404, "There is no '" + head.path + "'.");
        if (head.method != method && (head.method != "HEAD" || std::string_view(method) != "GET")) {
            HttpResponse answer = refusalOf(405, "'" + head.path + "' takes " + method + " only.");
            answer.headers.emplace_back("Allow", method);
            return answer;
        }
        // So no page of another origin can send it without asking first.
        if (head.path == kCompletions && !isJson(head.contentType))
            return refusalOf(415, "The body is JSON: send it as application/json.");
        return std::nullopt;
    }

    HttpResponse answer(const HttpRequest& request) override {
        try {
            if (request.path == kCompletions) return complete(request);
            if (request.path == "/health") return {200, "application/json", R"({"status":"ok"})"};
            if (request.path == kModels) return {200, "application/json", modelsJson(names(), m_started)};
            return {200, "application/json",
                    modelJson(find(request.path.substr(std::string(kModels).size() + 1)).name, m_started)};
        } catch (const UnknownModel& error) {
            return refusalOf(404, sentencesOf(error), "model_not_found");
        } catch (const Error& error) {
            if (statusOf(error.kind()) >= 500) log::error(error.message());
            return refusalOf(statusOf(error.kind()), sentencesOf(error));
        } catch (const std::exception& error) {
            log::error(error.what());
            return refusalOf(500, "The server ran out of memory.");
        }
    }

    HttpResponse failure(int status, const std::string& message) override { return refusalOf(status, message); }

private:
    class UnknownModel : public Error {
    public:
        using Error::Error;
    };

    static const char* methodOf(const std::string& path) {
        if (path == kCompletions) return "POST";
        const bool isKnown = path == "/health" || path == kModels || path.starts_with(std::string(kModels) + "/");
        return isKnown ? "GET" : nullptr;
    }

    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const ServedModel& model : m_options.models)
            all.push_back(model.name);
        return all;
    }

    const ServedModel& find(const std::string& name) const {
        const auto found = std::ranges::find(m_options.models, name, &ServedModel::name);
        if (found == m_options.models.end())
            throw UnknownModel(ErrorKind::kInvalidInput, "There is no model '" + name + "'.",
                               fmt::format("There are: {}.", fmt::join(names(), ", ")));
        return *found;
    }

    HttpResponse complete(const HttpRequest& request) {
        CompletionRequest wanted = parseCompletion(request.body, m_options.sampling);
        wanted.question.adapters = find(wanted.model).adapters;
        if (m_options.drawsSeeds && !wanted.namesSeed) wanted.question.sampling.seed = drawnSeed();
        auto place = std::make_unique<Place>(m_taken, m_options.numWaiting + 1);
        if (!place->isFree()) {
            HttpResponse answer = refusalOf(429, "Too many requests wait already.");
            answer.headers.emplace_back("Retry-After", "1");
            return answer;
        }
        const CompletionAbout about{newId(), wanted.model, static_cast<int64_t>(std::time(nullptr)),
                                    wanted.wantsProbabilities};
        const auto mayGoOn = [this, until = Clock::now() + m_options.answerTime] {
            return !m_isStopping && Clock::now() < until;
        };
        return wanted.streams ? stream(std::move(wanted), about, request, mayGoOn, std::move(place))
                              : whole(wanted, about, request, mayGoOn);
    }

    HttpResponse whole(const CompletionRequest& wanted, const CompletionAbout& about, const HttpRequest& request,
                       const std::function<bool()>& mayGoOn) {
        bool isThere = true;
        const session::ChatAnswer answer = m_chat.answer(wanted.question, [&](const session::ChatPiece&) {
            return mayGoOn() && (isThere = request.clientIsThere());
        });
        log::info(logLineOf(about, answer));
        if (answer.end == session::AnswerEnd::kStopped)
            return refusalOf(503, isThere ? "The answer took too long, or the server stops." : "The client left.");
        return {200, "application/json", completionJson(about, answer)};
    }

    HttpResponse stream(CompletionRequest wanted, const CompletionAbout& about, const HttpRequest& request,
                        std::function<bool()> mayGoOn, std::unique_ptr<Place> place) {
        auto stream = std::make_unique<CompletionStream>(
            m_chat, std::move(wanted.question),
            StreamSettings{about, wanted.includesUsage, request.clientIsThere, std::move(mayGoOn)});
        if (const std::optional<Error> error = stream->refusal()) throw *error;
        HttpResponse answer;
        answer.contentType = "text/event-stream";
        answer.stream = std::make_unique<PlacedStream>(std::move(place), std::move(stream));
        return answer;
    }

    // Different from each other, and from those of a server before.
    std::string newId() { return fmt::format("chatcmpl-{:08x}{:08x}", m_drawn, m_numAnswers.fetch_add(1)); }

    session::Chat& m_chat;
    const ServeOptions m_options;
    const bool m_isLoopback;
    const unsigned m_drawn;
    const int64_t m_started = static_cast<int64_t>(std::time(nullptr));
    std::atomic<bool> m_isStopping{false};
    std::atomic<int64_t> m_taken{0};
    std::atomic<unsigned> m_numAnswers{0};
};

ChatServer::ChatServer(ServeOptions options) : m_options(std::move(options)), m_socket(m_options.host, m_options.port) {
    check(m_options, m_socket);
}

void ChatServer::serve(session::Chat& chat) {
    m_endpoint = std::make_unique<Endpoint>(chat, m_options, m_socket.isLoopback());
    m_server = std::make_unique<HttpServer>(m_socket, m_options.limits, *m_endpoint);
}

ChatServer::~ChatServer() {
    if (m_endpoint) m_endpoint->stop();
    m_server.reset();
}

std::string ChatServer::url() const {
    return m_socket.url();
}

} // namespace roundpipe::serve
