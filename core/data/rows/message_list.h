// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a conversation message by message, each checked. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/conversation.h"

namespace roundpipe::data {

// By which of the names that are about a message says who speaks and what is said: "role" and "content" where it has
// them, which win over the others; null where it has none.
struct TurnNames {
    const char* role = nullptr;
    const char* words = nullptr;
};
TurnNames turnNamesOf(const Json& message);

bool isKnownRole(const std::string& name); // of those that rows use, by any of the names that are about

class MessageList {
public:
    explicit MessageList(Arguments arguments) : m_arguments(arguments) {}

    // In OpenAI's form, or {"from", "value"}, whose roles are those that are about (human, gpt, observation, …). Throws
    // RowProblem naming its number.
    void add(Json message);
    void addText(const char* role, std::string content) { add({{"role", role}, {"content", std::move(content)}}); }
    void addTurns(Json turns);      // a list of messages
    void setTools(const Json& row); // its field "tools"
    void beginCompletion() { m_conversation.completion = m_conversation.messages.size(); }

    std::size_t size() const { return m_conversation.messages.size(); }
    // What the system says, once: the settings' words where they override, else those of the row's own first message,
    // else its column's, else the settings'. The last thing before take().
    void useSystem(const std::string& column, const SystemPrompt& settings);
    Conversation take(); // throws RowProblem where a turn of the assistant that is trained says nothing

private:
    void takeNames(Json& message, std::size_t number);
    void addCalls(Json& message, bool areTrained);
    void addAssistants(const Json& message, bool isTrained);

    Conversation m_conversation;
    Arguments m_arguments;
};

} // namespace roundpipe::data
