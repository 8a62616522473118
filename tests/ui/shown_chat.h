// SPDX-License-Identifier: GPL-3.0-or-later
// A model to talk with as the window sees it, without an engine: it says what a test has it say, word by word, when the
// test lets it.
#pragma once

#include "base/error.h"
#include "session/chat.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace roundpipe::testing {

// Shared by a test and the thread that asks.
class ChatScript {
public:
    std::atomic<bool> holdsLoading = false;
    std::atomic<int64_t> mostTokens = 1 << 30; // further ones wait
    std::atomic<int> numLoaded = 0;

    void say(std::string tuned, std::string base = {}) {
        const std::lock_guard lock(m_mutex);
        m_tuned = std::move(tuned);
        m_base = base.empty() ? m_tuned : std::move(base);
    }
    void failNext(Error error) { // the next loading, or the next answer
        const std::lock_guard lock(m_mutex);
        m_error = std::move(error);
    }
    void throwIfAsked() {
        const std::lock_guard lock(m_mutex);
        if (!m_error) return;
        const Error error = *m_error;
        m_error.reset();
        throw error;
    }
    std::string answerTo(const session::ChatQuestion& question) {
        const std::lock_guard lock(m_mutex);
        m_asked.push_back(question);
        const bool isBase = question.adapters.empty() || question.adapters.front().weight == 0;
        return isBase ? m_base : m_tuned;
    }
    std::vector<session::ChatQuestion> asked() {
        const std::lock_guard lock(m_mutex);
        return m_asked;
    }

private:
    std::mutex m_mutex;
    std::string m_tuned = "Polly wants a cracker.", m_base = "I am a language model.";
    std::optional<Error> m_error;
    std::vector<session::ChatQuestion> m_asked;
};

class ShownChat final : public session::Chat {
public:
    ShownChat(const session::ChatSetup& setup, std::shared_ptr<ChatScript> script) : m_script(std::move(script)) {
        m_about.model = "Qwen3, 36 blocks, hidden 4096, 8.19 B parameters";
        m_about.device = setup.device == "cpu" ? "cpu:0" : "cuda:0 NVIDIA GeForce RTX 4090";
        m_about.contextTokens = setup.contextTokens;
        for (const session::ChatAdapter& adapter : setup.adapters)
            m_about.adapters.push_back(adapter.name);
    }

    const session::ChatAbout& about() const override { return m_about; }

    // A word is a token, with the blank before it.
    session::ChatAnswer answer(const session::ChatQuestion& question, const session::OnChatPiece& onPiece) override {
        const std::string text = m_script->answerTo(question);
        m_script->throwIfAsked();
        session::ChatAnswer answer;
        answer.prompt = {{1, "<|im_start|>", true}, {2, "user"}, {3, "\n"}};
        for (const std::string& word : wordsOf(question.messages.back().content))
            answer.prompt.push_back({4, word});
        answer.prompt.insert(answer.prompt.end(), {{5, "<|im_end|>", true}, {3, "\n"}});
        answer.numPromptTokens = std::ssize(answer.prompt);
        answer.promptSeconds = 0.42;
        for (const std::string& word : wordsOf(text)) {
            while (std::ssize(answer.tokens) >= m_script->mostTokens && onPiece({}))
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            answer.tokens.push_back(choiceOf(word, answer.tokens.size()));
            answer.text += word;
            const bool goesOn = onPiece({word, &answer.tokens.back()});
            if (std::ssize(answer.tokens) >= question.sampling.maxNewTokens) answer.end = session::AnswerEnd::kLimit;
            if (!goesOn) answer.end = session::AnswerEnd::kStopped;
            if (answer.end != session::AnswerEnd::kEndToken) break;
        }
        answer.numTokens = std::ssize(answer.tokens);
        answer.answerSeconds = static_cast<double>(answer.numTokens) * 0.04;
        return answer;
    }

private:
    static std::vector<std::string> wordsOf(const std::string& text) {
        std::vector<std::string> words;
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t to = std::min(text.find(' ', from + 1), text.size());
            words.push_back(text.substr(from, to - from));
            from = to;
        }
        return words;
    }
    static session::TokenChoice choiceOf(const std::string& word, std::size_t index) {
        constexpr double kProbabilities[] = {0.97, 0.71, 0.34, 0.06, 0.999};
        const double probability = kProbabilities[index % std::size(kProbabilities)];
        session::TokenChoice choice{{100 + static_cast<int32_t>(index), word}, std::log(probability)};
        choice.likeliest = {{choice.token, choice.logProbability}, {{7, " bird"}, std::log((1 - probability) / 2)}};
        return choice;
    }

    std::shared_ptr<ChatScript> m_script;
    session::ChatAbout m_about;
};

inline session::ChatOpener openerOf(std::shared_ptr<ChatScript> script) {
    return [script](const session::ChatSetup& setup, const std::function<bool(const session::Activity&)>& onActivity) {
        const session::Activity reading(session::ActivityCode::kReadingWeights, "3.2 GiB", "15.3 GiB");
        do {
            if (!onActivity(reading)) throw Error(ErrorKind::kCancelled, "The loading was given up.");
            if (script->holdsLoading) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        } while (script->holdsLoading);
        script->throwIfAsked();
        ++script->numLoaded;
        return std::make_unique<ShownChat>(setup, script);
    };
}

} // namespace roundpipe::testing
