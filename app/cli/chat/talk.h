// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with a model, and beside it, where it is wanted, the same one with the base model.
#pragma once

#include "base/file.h"
#include "session/conversation.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roundpipe::cli {

// Who answers: the adapters, or the base model alone.
struct TalkSide {
    std::string label; // "base", "tuned"; empty where there is one side
    bool isBase = false;
    session::ChatAnswer answer = {}; // the last one
};

// One thread.
class Talk {
public:
    // `settings`: a conversation in which nothing was said yet.
    Talk(session::Chat& chat, session::ChatConversation settings);

    session::ChatConversation& conversation() { return m_conversation; }
    const session::ChatAbout& about() const { return m_chat.about(); }
    const std::vector<TalkSide>& sides() const { return m_sides; } // base before tuned

    // Each side answers in turn; `begin` is called before each, `onPiece` with its text, false ends it. What was said
    // of an answer that was stopped stays. An error leaves the conversation as it was.
    void ask(const std::string& said, const std::function<void(const TalkSide&)>& begin,
             const std::function<bool(std::string_view)>& onPiece);
    void forget(); // all that was said; settings stay

    bool compares() const { return m_sides.size() > 1; }
    void compare(bool wanted); // the base model's side begins with what was said so far

    // System's message, last question and answer of the adapters' side; empty before the first one.
    std::vector<session::ChatMessage> lastExchange() const;

    // What session::conversationJson() wrote: what was said, by whom, and how tokens are chosen; what it does not say
    // stays. Throws kInvalidInput, for an adapter that was not loaded too; all is then as it was.
    void load(const std::string& json);

    // Where this conversation was saved or loaded from, and what stood there then; no path: nowhere yet.
    const Destination& file() const { return m_file; }
    void setFile(Destination file) { m_file = std::move(file); }

private:
    std::vector<session::ChatMessage>& messagesOf(const TalkSide& side);
    void makeSides(); // as the conversation has them

    session::Chat& m_chat;
    session::ChatConversation m_conversation;
    std::vector<TalkSide> m_sides;
    Destination m_file;
};

} // namespace roundpipe::cli
