// SPDX-License-Identifier: GPL-3.0-or-later
// The endpoint over a chat that says what it is told to, as slowly as it is told to. The real one is in tests/cli.
#include "serve/chat_server.h"

#include "testing/expect_error.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::serve {
namespace {

using std::chrono::milliseconds;

class SlowChat final : public session::Chat {
public:
    std::atomic<int> numPieces{4}, pieceMs{1}, numAnswering{0}, numEnded{0};
    std::string failure; // while it answers
    std::set<uint64_t> seeds;

    const session::ChatAbout& about() const override { return m_about; }
    session::ChatAnswer answer(const session::ChatQuestion& question, const session::OnChatPiece& onPiece) override {
        {
            const std::scoped_lock lock(m_noting);
            seeds.insert(question.sampling.seed);
        }
        if (question.messages[0].content == "too long") throw invalidInput("There is no room.", "Shorten it.");
        ++numAnswering;
        session::ChatAnswer answer = say(onPiece);
        --numAnswering;
        ++numEnded;
        if (!failure.empty()) throw Error(ErrorKind::kDevice, failure);
        return answer;
    }

private:
    session::ChatAnswer say(const session::OnChatPiece& onPiece) {
        session::ChatAnswer answer;
        answer.end = session::AnswerEnd::kStopped;
        if (!onPiece({})) return answer;
        const std::scoped_lock lock(m_turn);
        for (int i = 0; i < numPieces; ++i) {
            std::this_thread::sleep_for(milliseconds(pieceMs));
            answer.text += "é" + std::to_string(i) + " ";
            if (!onPiece({"é" + std::to_string(i) + " ", nullptr})) return answer;
        }
        answer.end = session::AnswerEnd::kEndToken;
        return answer;
    }

    std::mutex m_turn, m_noting;
    session::ChatAbout m_about;
};

class Client {
public:
    Client(const std::string& url, const std::string& request) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        m_socket = ::socket(AF_INET, SOCK_STREAM, 0);
        EXPECT_EQ(::connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        send(request);
    }
    ~Client() { close(); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void send(const std::string& bytes) { ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    void close() {
        if (m_socket >= 0) ::close(m_socket);
        m_socket = -1;
    }
    // Until `words` came, or all that comes.
    std::string read(const std::string& words = "\n\nnever\n\n") {
        char bytes[4096];
        while (m_received.find(words) == std::string::npos) {
            const ssize_t got = ::recv(m_socket, bytes, sizeof bytes, 0);
            if (got <= 0) break;
            m_received.append(bytes, static_cast<std::size_t>(got));
        }
        return m_received;
    }

    bool isOpen() const {
        char byte = 0;
        return ::recv(m_socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
    }
    // What has come, with one piece more.
    std::string readMore() {
        char bytes[4096];
        const ssize_t got = ::recv(m_socket, bytes, sizeof bytes, 0);
        if (got > 0) m_received.append(bytes, static_cast<std::size_t>(got));
        return m_received;
    }

private:
    int m_socket = -1;
    std::string m_received;
};

std::string post(const std::string& content, bool streams, const std::string& more = "") {
    const std::string body = R"({"model": "m", "messages": [{"role": "user", "content": ")" + content +
                             R"("}], "stream": )" + (streams ? "true" : "false") + "}";
    return "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
           "application/json\r\n" +
           more + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class ChatServerTest : public ::testing::Test {
protected:
    ChatServerTest() {
        m_options.port = 0;
        m_options.models = {{"m"}, {"tuned", {{"a", 1}}}};
    }
    void start() {
        m_server = std::make_unique<ChatServer>(m_options);
        m_server->serve(m_chat);
    }
    std::string ask(const std::string& request) { return Client(m_server->url(), request).read(); }
    void waitUntil(const std::function<bool()>& isSo) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!isSo() && std::chrono::steady_clock::now() < limit)
            std::this_thread::sleep_for(milliseconds(5));
        EXPECT_TRUE(isSo());
    }

    SlowChat m_chat;
    ServeOptions m_options;
    std::unique_ptr<ChatServer> m_server;
};

TEST_F(ChatServerTest, answersWhole) {
    start();
    const std::string said = ask(post("Hi", false));
    EXPECT_NE(said.find(" 200 "), std::string::npos) << said;
    EXPECT_NE(said.find("\"content\":\"é0 é1 é2 é3 \""), std::string::npos) << said;
    EXPECT_NE(said.find("\"finish_reason\":\"stop\""), std::string::npos) << said;
}

TEST_F(ChatServerTest, streamsPiecesAndAnEnd) {
    start();
    const std::string said = ask(post("Hi", true));
    EXPECT_NE(said.find("text/event-stream"), std::string::npos) << said;
    std::size_t at = 0;
    for (const char* part :
         {"\"role\":\"assistant\"", "é0 ", "é1 ", "é2 ", "é3 ", "\"finish_reason\":\"stop\"", "data: [DONE]"}) {
        at = said.find(part, at);
        ASSERT_NE(at, std::string::npos) << part << " in " << said;
    }
}

TEST_F(ChatServerTest, refusesAQuestionBeforeItsStreamBegins) {
    start();
    for (const bool streams : {false, true}) {
        const std::string said = ask(post("too long", streams));
        EXPECT_NE(said.find(" 400 "), std::string::npos) << said;
        EXPECT_NE(said.find("There is no room. Shorten it."), std::string::npos) << said;
    }
}

TEST_F(ChatServerTest, drawsByAnotherSeedEachTimeUnlessOneIsNamed) {
    start();
    for (int i = 0; i < 3; ++i)
        ask(post("Hi", i == 1));
    EXPECT_EQ(m_chat.seeds.size(), 3u);
    m_server.reset();
    m_chat.seeds.clear();
    m_options.drawsSeeds = false;
    m_options.sampling.seed = 7;
    start();
    for (int i = 0; i < 3; ++i)
        ask(post("Hi", false));
    EXPECT_EQ(m_chat.seeds, std::set<uint64_t>{7});
}

TEST_F(ChatServerTest, saysWhatBreaksInTheMiddle) {
    m_chat.failure = "The GPU is gone.";
    start();
    EXPECT_NE(ask(post("Hi", false)).find(" 500 "), std::string::npos);
    const std::string said = ask(post("Hi", true));
    EXPECT_NE(said.find("data: {\"error\":{\"message\":\"The GPU is gone.\""), std::string::npos) << said;
    EXPECT_EQ(said.find("[DONE]"), std::string::npos) << said;
}

TEST_F(ChatServerTest, endsTheAnswerOfAClientThatLeaves) {
    m_chat.numPieces = 1000000;
    start();
    for (const bool streams : {true, false}) {
        Client client(m_server->url(), post("Hi", streams));
        waitUntil([&] { return m_chat.numAnswering == 1; });
        if (streams) client.read("é1 ");
        client.close();
        waitUntil([&] { return m_chat.numAnswering == 0; });
    }
    EXPECT_EQ(m_chat.numEnded, 2);
}

TEST_F(ChatServerTest, endsAnAnswerThatTakesTooLong) {
    m_chat.numPieces = 1000000;
    m_options.answerTime = std::chrono::seconds(1);
    start();
    EXPECT_NE(ask(post("Hi", false)).find(" 503 "), std::string::npos);
    EXPECT_NE(ask(post("Hi", true)).find("took too long"), std::string::npos);
}

TEST_F(ChatServerTest, keepsAFewWaitingAndTellsOthersToComeAgain) {
    m_chat.numPieces = 1000000;
    m_options.numWaiting = 1;
    start();
    Client first(m_server->url(), post("Hi", true)), second(m_server->url(), post("Hi", false));
    waitUntil([&] { return m_chat.numAnswering == 2; });
    EXPECT_NE(ask(post("Hi", false)).find(" 429 "), std::string::npos);
    first.close();
    second.close();
    waitUntil([&] { return m_chat.numAnswering == 0; });
    m_chat.numPieces = 2;
    EXPECT_NE(ask(post("Hi", false)).find(" 200 "), std::string::npos);
}

TEST_F(ChatServerTest, cutsOffAClientThatTakesTooLong) {
    m_options.limits.clientTime = std::chrono::seconds(1);
    start();
    Client slow(m_server->url(), "GET /health HTTP/1.1\r\nHost: localhost\r\n");
    const auto begin = std::chrono::steady_clock::now();
    std::thread sender([&] {
        for (int i = 0; i < 20; ++i) { // never idle
            std::this_thread::sleep_for(milliseconds(200));
            slow.send("X-More: 1\r\n");
        }
    });
    EXPECT_EQ(slow.read(), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
    sender.join();
    m_chat.pieceMs = 600; // an answer that takes longer is no client's fault
    EXPECT_NE(ask(post("Hi", true)).find("[DONE]"), std::string::npos);
    EXPECT_NE(ask(post("Hi", false)).find(" 200 "), std::string::npos);
}

// Such as never send a request, or not all of it, make room for others; one that is answered keeps its place.
TEST_F(ChatServerTest, keepsNobodyOutForClientsThatDoNotSend) {
    m_options.limits.clientTime = std::chrono::seconds(60);
    m_options.limits.numConnections = 4;
    m_chat.numPieces = 1000000;
    start();
    Client answered(m_server->url(), post("Hi", true));
    answered.read("é1 ");
    std::vector<std::unique_ptr<Client>> silent;
    const auto come = [&](int count) {
        for (int i = 0; i < count; ++i)
            silent.push_back(std::make_unique<Client>(m_server->url(), i % 2 == 0 ? "" : "GET /health HT"));
    };
    const auto isHere = [](const auto& client) { return client->isOpen(); };
    const auto isServed = [&] {
        return ask("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").find(" 200 ") !=
               std::string::npos;
    };
    come(10);
    EXPECT_TRUE(isServed());
    waitUntil([&] { return std::ranges::count_if(silent, isHere) == 3; });
    come(1);
    EXPECT_TRUE(isServed());
    EXPECT_TRUE(silent.back()->isOpen()); // which has just come
    const std::size_t soFar = answered.read("é1 ").size();
    EXPECT_GT(answered.readMore().size(), soFar);
}

TEST_F(ChatServerTest, asksForItsKey) {
    m_options.key = "a-long-secret";
    start();
    EXPECT_NE(ask(post("Hi", false)).find(" 401 "), std::string::npos);
    EXPECT_NE(ask(post("Hi", false, "Authorization: Bearer a-long-secreT\r\n")).find(" 401 "), std::string::npos);
    EXPECT_NE(ask(post("Hi", false, "Authorization: Basic a-long-secret\r\n")).find(" 401 "), std::string::npos);
    for (const std::string scheme : {"Bearer", "bearer", "BEARER "})
        EXPECT_NE(ask(post("Hi", false, "Authorization: " + scheme + " a-long-secret\r\n")).find(" 200 "),
                  std::string::npos)
            << scheme;
}

TEST_F(ChatServerTest, endsWhatItAnswersWhenItStops) {
    m_chat.numPieces = 1000000;
    start();
    Client streamed(m_server->url(), post("Hi", true)), whole(m_server->url(), post("Hi", false));
    waitUntil([&] { return m_chat.numAnswering == 2; });
    m_server.reset();
    EXPECT_EQ(m_chat.numAnswering, 0);
}

TEST_F(ChatServerTest, refusesSettingsThatCannotBe) {
    m_options.host = "0.0.0.0";
    testing::expectError(ErrorKind::kInvalidInput, {"no key", "--key-file"}, [this] { start(); });
    m_options.key = "short";
    testing::expectError(ErrorKind::kInvalidInput, {"key"}, [this] { start(); });
    m_options.key.clear();
    m_options.host = "127.0.0.1";
    m_options.models.push_back({"m"});
    testing::expectError(ErrorKind::kInvalidInput, {"'m'"}, [this] { start(); });
    m_options.models.pop_back();
    start();
    const std::string url = m_server->url();
    ServeOptions second = m_options;
    second.port = static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    testing::expectError(ErrorKind::kIo, {"--port"}, [&] { ChatServer{second}; });
}

} // namespace
} // namespace roundpipe::serve
