// SPDX-License-Identifier: GPL-3.0-or-later
#include "chat/talk.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace roundpipe::cli {

using session::AdapterWeight;
using session::ChatConversation;
using session::ChatMessage;

namespace {

constexpr int64_t kShownRivals = 3; // beside each token

} // namespace

Talk::Talk(session::Chat& chat, ChatConversation settings) : m_chat(chat), m_conversation(std::move(settings)) {
    makeSides();
}

void Talk::makeSides() {
    m_sides.clear();
    if (m_conversation.baseMessages) m_sides.push_back({"base", true});
    m_sides.push_back({m_sides.empty() ? "" : "tuned"});
}

std::vector<ChatMessage>& Talk::messagesOf(const TalkSide& side) {
    return side.isBase ? *m_conversation.baseMessages : m_conversation.messages;
}

void Talk::ask(const std::string& said, const std::function<void(const TalkSide&)>& begin,
               const std::function<bool(std::string_view)>& onPiece) {
    const ChatConversation before = m_conversation;
    const std::vector<TalkSide> sidesBefore = m_sides;
    try {
        for (TalkSide& side : m_sides) {
            std::vector<ChatMessage>& messages = messagesOf(side);
            messages.push_back({"user", said});
            begin(side);
            session::ChatQuestion question = questionOf(m_conversation, messages, side.isBase);
            question.numLikeliest = kShownRivals;
            side.answer = m_chat.answer(question, [&](const session::ChatPiece& piece) { return onPiece(piece.text); });
            messages.push_back({"assistant", side.answer.text});
        }
    } catch (...) {
        m_conversation = before;
        m_sides = sidesBefore;
        throw;
    }
}

void Talk::forget() {
    m_conversation.messages.clear();
    if (m_conversation.baseMessages) m_conversation.baseMessages->clear();
    m_file = {}; // what is said from now on is another one
    makeSides();
}

void Talk::compare(bool wanted) {
    if (wanted == compares()) return;
    session::ChatAnswer last = std::move(m_sides.back().answer);
    m_conversation.baseMessages.reset();
    if (wanted) m_conversation.baseMessages = m_conversation.messages;
    makeSides();
    m_sides.back().answer = std::move(last);
}

std::vector<ChatMessage> Talk::lastExchange() const {
    return exchangeOf(m_conversation, m_conversation.messages, m_conversation.messages.size() - 1);
}

void Talk::load(const std::string& json) {
    ChatConversation loaded = session::conversationIn(json, m_conversation);
    for (const AdapterWeight& adapter : loaded.adapters)
        if (std::ranges::find(about().adapters, adapter.name) == about().adapters.end())
            throw invalidInput("The conversation is with the adapter '" + adapter.name + "', which is not loaded.",
                               "Give --adapter " + adapter.name + "=DIR when starting.");
    loaded.model = m_conversation.model; // the one that is loaded
    m_conversation = std::move(loaded);
    makeSides();
}

} // namespace roundpipe::cli
