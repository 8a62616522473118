// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/completion_stream.h"

#include "base/log.h"

#include <chrono>
#include <utility>
#include <vector>

namespace roundpipe::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{200};         // whether the client is still there
constexpr std::chrono::seconds kSignOfLife{5};          // a client, or a program between, may give up a silent stream
constexpr const char* kComment = ": still at work\n\n"; // which readers pass over

} // namespace

CompletionStream::CompletionStream(session::Chat& chat, session::ChatQuestion question, StreamSettings settings)
    : m_chat(chat)
    , m_settings(std::move(settings))
    , m_thread([this, question = std::move(question)] { answer(question); }) {}

CompletionStream::~CompletionStream() {
    m_isWanted = false;
    m_thread.join();
}

std::optional<Error> CompletionStream::refusal() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_isAccepted || m_isOver; });
    return m_isAccepted ? std::nullopt : m_error;
}

std::optional<std::string> CompletionStream::next() {
    const Clock::time_point begin = Clock::now();
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, kLook, [this] { return m_isOver || !m_ready.empty(); })) {
        if (!m_settings.clientIsThere()) return std::nullopt;
        if (Clock::now() - begin > kSignOfLife) return kComment;
    }
    if (m_ready.empty()) return std::nullopt;
    return std::exchange(m_ready, {});
}

void CompletionStream::put(const std::string& json) {
    const std::scoped_lock lock(m_mutex);
    m_ready += "data: " + json + "\n\n";
    m_changed.notify_all();
}

void CompletionStream::putEnd(const session::ChatAnswer& answer) {
    log::info(logLineOf(m_settings.about, answer));
    if (m_isWanted && answer.end == session::AnswerEnd::kStopped) {
        put(errorJson(503, "The answer took too long, or the server stops."));
        return;
    }
    put(lastPiece(m_settings.about, answer.end));
    if (m_settings.includesUsage) put(usagePiece(m_settings.about, answer));
    put("[DONE]");
}

void CompletionStream::answer(const session::ChatQuestion& question) {
    bool isFirst = true;
    std::vector<session::TokenChoice> tokens; // that gave no whole character yet
    const auto onPiece = [&](const session::ChatPiece& piece) {
        if (std::exchange(isFirst, false)) {
            put(firstPiece(m_settings.about));
            const std::scoped_lock lock(m_mutex);
            m_isAccepted = true;
            m_changed.notify_all();
        }
        if (piece.token != nullptr) tokens.push_back(*piece.token);
        if (!piece.text.empty()) put(textPiece(m_settings.about, piece.text, std::exchange(tokens, {})));
        return m_isWanted && m_settings.mayGoOn();
    };
    std::optional<Error> failure;
    try {
        const session::ChatAnswer answer = m_chat.answer(question, onPiece);
        if (!tokens.empty()) put(textPiece(m_settings.about, "", tokens)); // such as the one that ended it
        putEnd(answer);
    } catch (const Error& error) {
        failure = error;
    } catch (const std::exception& error) { // of memory, mostly
        failure = Error(ErrorKind::kInternal, error.what());
    }
    if (failure && !isFirst) put(errorJson(statusOf(failure->kind()), sentencesOf(*failure)));
    const std::scoped_lock lock(m_mutex);
    m_error = std::move(failure);
    m_isOver = true;
    m_changed.notify_all();
}

} // namespace roundpipe::serve
