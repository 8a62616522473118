// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chat/local_chat.h"

#include "base/error.h"
#include "device/streams/thread_setup.h"
#include "engine/chat/answer_queue.h"
#include "engine/chat/loaded_model.h"
#include "engine/chat/memory_words.h"
#include "generate/kept_texts.h"
#include "generate/text_generator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace roundpipe::engine {
namespace {

using session::ChatAnswer;
using session::ChatQuestion;

void requireDifferentNames(const session::ChatSetup& setup) {
    std::set<std::string> names;
    for (const session::ChatAdapter& adapter : setup.adapters)
        if (!names.insert(adapter.name).second)
            throw invalidInput("Two adapters have the name '" + adapter.name + "'.", "Give each its own: NAME=FOLDER.");
}

// The question's arguments over the setup's.
std::string joinedArguments(const std::string& ofSetup, const std::string& ofQuestion) {
    if (ofQuestion.empty()) return ofSetup;
    using Json = nlohmann::ordered_json;
    Json joined = ofSetup.empty() ? Json::object() : Json::parse(ofSetup, nullptr, false);
    const Json more = Json::parse(ofQuestion, nullptr, false);
    if (!joined.is_object() || !more.is_object())
        throw invalidInput("The arguments of the chat template are no JSON object.",
                           R"(Write them as in {"enable_thinking": false}.)");
    joined.update(more);
    return joined.dump();
}

class LocalChat final : public session::Chat {
public:
    LocalChat(const session::ChatSetup& setup, const std::function<bool(const session::Activity&)>& onActivity)
        : m_loaded(setup, onActivity), m_stopIds(stopIdsOf(m_loaded.model().spec.config, m_loaded.tokenizer())) {
        m_about.model = m_loaded.model().spec.summary();
        m_about.device = m_loaded.device().name();
        for (const session::ChatAdapter& adapter : setup.adapters)
            m_about.adapters.push_back(adapter.name);
        m_about.contextTokens = m_loaded.model().spec.config.maxPositions;
        if (setup.contextTokens > 0) {
            m_about.contextTokens = std::min(setup.contextTokens, m_about.contextTokens);
            makeRoom(m_about.contextTokens);
        }
    }

    const session::ChatAbout& about() const override { return m_about; }

    ChatAnswer answer(const ChatQuestion& question, const session::OnChatPiece& onPiece) override {
        session::checkStops(question.sampling.stops);
        generate::ReadText text{weightsOf(question), idsOf(question)};
        const int64_t room = roomFor(text.ids);
        const auto goOn = [&] { return !onPiece || onPiece({}); };
        if (!goOn() || !m_queue.wait(goOn)) return stoppedAtOnce(text.ids);
        try {
            ChatAnswer answer = askingInMemory([&] { return answerNow(question, std::move(text), room, onPiece); });
            m_queue.end();
            return answer;
        } catch (...) {
            m_queue.end();
            throw;
        }
    }

private:
    void makeRoom(int64_t numTokens) {
        if (m_decoder && m_decoder->capacity() >= numTokens) return;
        m_read.reset();
        m_decoder.reset(); // before the next one takes its memory
        m_decoder.emplace(m_loaded.model(), m_loaded.store(), m_loaded.device(), numTokens, true);
        m_read.emplace(*m_decoder, m_loaded.setup().keptBytes);
    }

    std::vector<double> weightsOf(const ChatQuestion& question) const {
        std::vector<double> weights(m_about.adapters.size(), 0.0);
        for (const session::AdapterWeight& adapter : question.adapters) {
            if (!std::isfinite(adapter.weight))
                throw invalidInput("The weight of the adapter '" + adapter.name + "' is no number.");
            weights[indexOf(adapter.name)] = adapter.weight;
        }
        return weights;
    }

    std::size_t indexOf(const std::string& name) const {
        const auto found = std::ranges::find(m_about.adapters, name);
        if (found == m_about.adapters.end())
            throw invalidInput("No adapter is called '" + name + "'.",
                               m_about.adapters.empty()
                                   ? "None was loaded."
                                   : fmt::format("There are: {}.", fmt::join(m_about.adapters, ", ")));
        return static_cast<std::size_t>(found - m_about.adapters.begin());
    }

    std::vector<int32_t> idsOf(const ChatQuestion& question) {
        if (question.rawText) return encodeRaw(m_loaded.tokenizer(), *question.rawText);
        std::optional<std::size_t> adapter;
        if (!question.adapters.empty()) adapter = indexOf(question.adapters.front().name);
        const ModelText text{m_loaded.tokenizer(), m_loaded.chatTemplate(adapter)};
        return encodeMessages(text, question.messages,
                              joinedArguments(m_loaded.setup().chatTemplateArgs, question.chatTemplateArgs),
                              text::localTimeNow());
    }

    // New tokens for which there is room.
    int64_t roomFor(std::span<const int32_t> ids) const {
        if (ids.empty())
            throw invalidInput("There is nothing to answer: the conversation has no tokens.", "Say something.");
        const int64_t room = m_about.contextTokens - std::ssize(ids);
        if (room < 1)
            throw invalidInput(
                fmt::format("The conversation has {} tokens, which leaves no room for an answer: there is room for {}.",
                            ids.size(), m_about.contextTokens),
                m_about.contextTokens < m_loaded.model().spec.config.maxPositions
                    ? "Shorten it, or load the model with a larger context."
                    : "Shorten it: the model has no more positions.");
        return room;
    }

    static ChatAnswer stoppedAtOnce(std::span<const int32_t> ids) {
        ChatAnswer answer;
        answer.end = session::AnswerEnd::kStopped;
        answer.numPromptTokens = std::ssize(ids);
        return answer;
    }

    ChatAnswer answerNow(const ChatQuestion& question, generate::ReadText text, int64_t room,
                         const session::OnChatPiece& onPiece) {
        device::setUpComputeThread(); // a GPU is given its work by whoever asks
        ChatAnswer answer;
        answer.numPromptTokens = std::ssize(text.ids);
        session::SamplingOptions sampling = question.sampling;
        sampling.maxNewTokens = std::min(sampling.maxNewTokens, room);
        makeRoom(std::ssize(text.ids) + sampling.maxNewTokens);
        m_loaded.use(text.weights);
        answer.numKeptTokens = m_read->begin(text);
        bool isNew = false; // the token of the next piece
        generate::TokenWatch watch;
        if (question.numLikeliest) {
            watch.numLikeliest = *question.numLikeliest;
            watch.onToken = [&](session::TokenChoice choice) {
                answer.tokens.push_back(std::move(choice));
                isNew = true;
            };
            for (const int32_t id : text.ids)
                answer.prompt.push_back(generate::textOfToken(m_loaded.tokenizer(), id));
        }
        const auto onText = [&](const std::string& piece) {
            const session::TokenChoice* token = std::exchange(isNew, false) ? &answer.tokens.back() : nullptr;
            return !onPiece || onPiece({piece, token});
        };
        generate::Answer generated =
            generate::generateText(*m_decoder, m_loaded.tokenizer(), text.ids, m_stopIds, sampling, onText, watch);
        text.ids.insert(text.ids.end(), generated.ids.begin(), generated.ids.end());
        m_read->hasRead(std::move(text));
        answer.text = std::move(generated.text);
        answer.end = generated.end;
        answer.numTokens = std::ssize(generated.ids);
        answer.promptSeconds = generated.promptSeconds;
        answer.answerSeconds = generated.answerSeconds;
        return answer;
    }

    LoadedModel m_loaded;
    std::vector<int32_t> m_stopIds;
    AnswerQueue m_queue; // whoever has the turn uses what follows
    std::optional<generate::Decoder> m_decoder;
    std::optional<generate::KeptTexts> m_read;
    session::ChatAbout m_about;
};

} // namespace

std::unique_ptr<session::Chat> openChat(const session::ChatSetup& setup,
                                        const std::function<bool(const session::Activity&)>& onActivity) {
    requireDifferentNames(setup);
    return askingInMemory([&] { return std::make_unique<LocalChat>(setup, onActivity); });
}

} // namespace roundpipe::engine
