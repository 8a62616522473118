// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/message_list.h"

#include "data/in_part.h"
#include "data/rows/content_parts.h"
#include "data/rows/row_fields.h"
#include "data/rows/thoughts.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <utility>

namespace roundpipe::data {
namespace {

constexpr const char* kThought = "reasoning_content";

// Axolotl's `train`, OpenAI's `weight` and LLaMA-Factory's `loss_weight` of one message; and what others write, where
// it can mean nothing else.
bool isWanted(const Json& message, std::size_t number) {
    for (const char* key : kOtherSwitches)
        if (const Json* isTrained = field(message, key);
            isTrained != nullptr && (*isTrained == false || *isTrained == 0))
            return false;
    if (const Json* train = field(message, "train")) {
        if (!train->is_boolean()) throw badRow(RowRemark::kMessageTrain, number);
        return train->get<bool>();
    }
    for (const char* key : {"weight", "loss_weight"})
        if (const Json* weight = field(message, key)) {
            if (*weight != 0 && *weight != 1) throw badRow(RowRemark::kMessageWeight, number, key);
            return *weight == 1;
        }
    return true;
}

std::string withoutBlanksAround(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

// The three names under which rows have it become one; a content that repeats it does so no more. Which of two others
// is meant cannot be told.
void nameThought(Json& message, std::size_t number) {
    std::string thought, name;
    for (const char* key : {kThought, "reasoning", "thinking"}) {
        const Json* found = field(message, key);
        if (found != nullptr && !found->is_string()) throw badRow(RowRemark::kMessageFieldNoText, number, key);
        const std::string other = found == nullptr ? std::string() : found->get<std::string>();
        message.erase(key);
        if (other.empty()) continue;
        if (!thought.empty() && withoutBlanksAround(thought) != withoutBlanksAround(other))
            throw badRow(RowRemark::kMessageTwoThoughts, number, name, key);
        if (!thought.empty()) continue;
        thought = other;
        name = key;
    }
    if (thought.empty()) return;
    if (const std::string inContent = takeThoughtOutOf(message);
        !inContent.empty() && inContent != withoutBlanksAround(thought))
        throw badRow(RowRemark::kMessageTwoThoughts, number, name, "content");
    message[kThought] = std::move(thought);
}

// Tables (Parquet) give every message the fields of all, and some programs an empty list of calls; templates ask
// whether a field is there.
void dropEmpty(Json& message) {
    for (auto entry = message.begin(); entry != message.end();) {
        const bool isNoCall = entry.key() == "tool_calls" && entry->is_array() && entry->empty();
        entry = isNoCall || (entry->is_null() && entry.key() != "content") ? message.erase(entry) : std::next(entry);
    }
}

std::string lowered(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

// By what it is called elsewhere, in capitals or not; empty: a role that we do not know.
std::string knownRole(const std::string& name) {
    static constexpr std::pair<const char*, const char*> kRoles[] = {
        {"human", "user"},          {"user", "user"},         {"gpt", "assistant"},      {"assistant", "assistant"},
        {"chatgpt", "assistant"},   {"model", "assistant"},   {"bot", "assistant"},      {"system", "system"},
        {"developer", "developer"}, {"tool", "tool"},         {"observation", "tool"},   {"function_response", "tool"},
        {"function", "tool"},       {"ipython", "tool"},      {"function_call", "call"}, {"tool_call", "call"},
        {"ai", "assistant"},        {"chatbot", "assistant"}, {"prompter", "user"}};
    const auto* found = std::ranges::find(kRoles, lowered(withoutBlanksAround(name)),
                                          [](const auto& role) { return std::string(role.first); });
    return found == std::end(kRoles) ? std::string() : found->second;
}

std::string roleOf(const std::string& from, std::size_t number) {
    const std::string role = knownRole(from);
    if (role.empty()) throw badRow(RowRemark::kMessageRoleUnknown, number, inPartOnOneLine(from));
    return role;
}

// Of a message: templates may know roles of their own, which stay, as Llama's "ipython" does; people's names for the
// usual ones become those.
std::string messageRole(const std::string& given) {
    const std::string role = knownRole(given);
    return role.empty() || lowered(withoutBlanksAround(given)) == "ipython" ? given : role;
}

// A call that is a message of its own, as LLaMA-Factory writes it, is one of the assistant's.
void takeCall(Json& message, std::size_t number) {
    if (message["role"] != "call") return;
    message["role"] = "assistant";
    if (!message.contains("content")) return;
    message["tool_calls"] = callsOf(textOf(message, "content"), number);
    message["content"] = "";
}

// Some call who speaks and what is said by other names.
Json withUsualNames(Json message) {
    if (!message.is_object()) return message;
    const auto rename = [&](const char* from, const char* to) {
        if (message.contains(to) || !message.contains(from)) return;
        message[to] = Json(message[from]); // a copy, as the place of `from` may move
        message.erase(from);
    };
    if (!message.contains("role")) rename("speaker", "from");
    const char* words = message.contains("from") ? "value" : "content";
    for (const char* name : {"text", "value", "content"})
        rename(name, words);
    return message;
}

bool saysNothing(const Json& message) {
    const Json* content = field(message, "content");
    const Json* calls = field(message, "tool_calls");
    const bool silent = content == nullptr || content->get_ref<const std::string&>().empty();
    return silent && (calls == nullptr || calls->empty());
}

} // namespace

bool isSwitch(const Json& value) {
    return value.is_boolean() || value == 0 || value == 1;
}

bool isKnownRole(const std::string& name) {
    return !knownRole(name).empty();
}

void MessageList::add(Json message) {
    const std::size_t number = size() + 1;
    if (!message.is_object()) throw badRow(RowRemark::kMessageNoObject, number);
    const Json* role = field(message, "role");
    if (role == nullptr || !role->is_string()) throw badRow(RowRemark::kMessageWithoutRole, number);
    message["role"] = messageRole(role->get<std::string>());
    takeCall(message, number);
    role = field(message, "role");
    const bool isAssistant = *role == "assistant";
    if (field(message, "function_call") != nullptr) throw badRow(RowRemark::kMessageFunctionCall, number);
    dropEmpty(message);
    if (message.contains("content")) joinContentParts(message, number);
    if (field(message, "content") == nullptr && !isAssistant) throw badRow(RowRemark::kMessageWithoutContent, number);
    if (field(message, "tool_calls") != nullptr) {
        checkCalls(message["tool_calls"], number);
        if (m_arguments != Arguments::kAsGiven)
            fillArguments(message["tool_calls"], m_arguments == Arguments::kAsTexts);
        if (m_arguments == Arguments::kParsed && parseArguments(message["tool_calls"]))
            m_conversation.hasObjectArguments = true;
        if (m_arguments == Arguments::kAsTexts) writeArguments(message["tool_calls"]);
    }
    if (isAssistant) {
        nameThought(message, number);
        m_conversation.assistants.push_back(size());
        m_conversation.wanted.push_back(isWanted(message, number));
        if (m_conversation.wanted.back() && message.contains("tool_calls"))
            checkTrainedCalls(message["tool_calls"], number);
    }
    m_conversation.messages.push_back(std::move(message));
}

void MessageList::addShareGpt(const Json& turn) {
    const std::size_t number = size() + 1;
    if (!turn.is_object()) throw badRow(RowRemark::kMessageNoObject, number);
    const Json* from = field(turn, "from");
    if (from == nullptr || !from->is_string()) throw badRow(RowRemark::kMessageWithout, number, "from");
    if (field(turn, "value") == nullptr) throw badRow(RowRemark::kMessageWithout, number, "value");
    const std::string role = roleOf(from->get<std::string>(), number);
    Json message = turn;
    message.erase("from");
    message.erase("value");
    if (role == "call") {
        message["role"] = "assistant";
        message["content"] = "";
        message["tool_calls"] = callsOf(textOf(turn, "value"), number);
    } else {
        message["role"] = role;
        message["content"] = turn["value"];
    }
    add(std::move(message));
}

void MessageList::addTurns(Json turns) {
    for (Json& given : turns) {
        Json turn = withUsualNames(std::move(given));
        if (turn.is_object() && turn.contains("from"))
            addShareGpt(turn);
        else
            add(std::move(turn));
    }
}

void MessageList::setTools(const Json& row) {
    Json tools = listOf(row, "tools");
    if (tools.is_null()) return;
    // An empty list is one to templates that ask whether there is one; "[]" is how tables say that there is none.
    if (tools.empty() && row["tools"].is_string()) return;
    for (Json& tool : tools) // as templates look for it
        if (tool.is_object() && !tool.contains("function") && tool.contains("name"))
            tool = Json{{"type", "function"}, {"function", Json(tool)}};
    m_conversation.tools = std::move(tools);
}

void MessageList::useSystem(const std::string& column, const SystemPrompt& settings) {
    const bool overrides = settings.use == SystemPromptUse::kOverride && !settings.text.empty();
    const std::string& words = overrides || column.empty() ? settings.text : column;
    Json& messages = m_conversation.messages;
    const bool hasOwn = !messages.empty() && (messages[0]["role"] == "system" || messages[0]["role"] == "developer");
    if (hasOwn) {
        if (overrides) messages[0]["content"] = words;
        m_conversation.leavesOutSystem = !overrides && !column.empty() && messages[0]["content"] != column;
        return;
    }
    if (words.empty()) return;
    messages.insert(messages.begin(), Json{{"role", "system"}, {"content", words}});
    for (std::size_t& assistant : m_conversation.assistants)
        ++assistant;
    if (m_conversation.completion) ++*m_conversation.completion;
}

Conversation MessageList::take() {
    for (const std::size_t index : m_conversation.assistants)
        if (saysNothing(m_conversation.messages[index])) throw badRow(RowRemark::kAssistantSaysNothing, index + 1);
    return std::move(m_conversation);
}

} // namespace roundpipe::data
