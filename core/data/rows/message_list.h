// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a conversation message by message, each checked. Internal to this folder (it includes nlohmann-json).
#pragma once

#include "data/rows/conversation.h"

namespace roundpipe::data {

// Of a message: false or 0 keeps it from being trained, as `train` does (ms-swift's `loss`, Axolotl's `training`). What
// is no switch by its value is another thing by this name, and is not read.
inline constexpr const char* kOtherSwitches[] = {"loss", "training", "trainable"};
bool isSwitch(const Json& value); // true, false, 0, 1

bool isKnownRole(const std::string& name); // of those that rows use, by any of the names that are about

class MessageList {
public:
    explicit MessageList(Arguments arguments) : m_arguments(arguments) {}

    void add(Json message); // OpenAI's form; throws RowProblem naming its number
    // The same of a turn {"from", "value"}: its role by any of the names that are about (human, gpt, observation, …).
    void addShareGpt(const Json& turn);
    void addText(const char* role, std::string content) { add({{"role", role}, {"content", std::move(content)}}); }
    // A list of turns in either form.
    void addTurns(Json turns);
    void setTools(const Json& row); // its field "tools"
    void beginCompletion() { m_conversation.completion = m_conversation.messages.size(); }

    std::size_t size() const { return m_conversation.messages.size(); }
    // What the system says, once: the settings' words where they override, else those of the row's own first message,
    // else its column's, else the settings'. The last thing before take().
    void useSystem(const std::string& column, const SystemPrompt& settings);
    Conversation take(); // throws RowProblem where a turn of the assistant says nothing

private:
    Conversation m_conversation;
    Arguments m_arguments;
};

} // namespace roundpipe::data
