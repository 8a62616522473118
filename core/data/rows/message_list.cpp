// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows/message_list.h"

#include "data/in_part.h"
#include "data/rows/answer_tags.h"
#include "data/rows/call_form.h"
#include "data/rows/content_parts.h"
#include "data/rows/row_fields.h"
#include "data/rows/thoughts.h"
#include "data/rows/tool_calls.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace roundpipe::data {
namespace {

constexpr const char* kThought = "reasoning_content";

// The three names under which rows have it become one; a content that repeats it does so no more. Which of two others
// is meant cannot be told, and one that is learnt must not end before its own end.
void nameThought(Json& message, std::size_t number, bool isTrained) {
    std::string thought, name;
    for (const char* key : {kThought, "reasoning", "thinking"}) {
        const Json* found = field(message, key);
        if (found != nullptr && !found->is_string()) throw badRow(RowRemark::kMessageFieldNoText, number, key);
        const std::string other =
            found == nullptr ? std::string() : withoutThoughtTags(found->get_ref<const std::string&>());
        message.erase(key);
        if (other.empty()) continue;
        if (!thought.empty() && withoutBlanksAround(thought) != withoutBlanksAround(other))
            throw badRow(RowRemark::kMessageTwoThoughts, number, name, key);
        if (!thought.empty()) continue;
        thought = other;
        name = key;
    }
    if (thought.empty()) return;
    if (const char* closing = closingTagIn(thought); closing != nullptr && isTrained)
        throw badRow(RowRemark::kMessageThoughtEnds, number, closing, name);
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

// By what it is called elsewhere, in capitals or not; empty: a role that we do not know.
std::string knownRole(const std::string& name) {
    static constexpr std::pair<std::string_view, const char*> kRoles[] = {
        {"human", "user"},          {"user", "user"},         {"gpt", "assistant"},      {"assistant", "assistant"},
        {"chatgpt", "assistant"},   {"model", "assistant"},   {"bot", "assistant"},      {"system", "system"},
        {"developer", "developer"}, {"tool", "tool"},         {"observation", "tool"},   {"function_response", "tool"},
        {"function", "tool"},       {"ipython", "tool"},      {"function_call", "call"}, {"tool_call", "call"},
        {"ai", "assistant"},        {"chatbot", "assistant"}, {"prompter", "user"}};
    const std::string given = lowered(withoutBlanksAround(name));
    const auto* found = std::ranges::find(kRoles, given, [](const auto& role) { return role.first; });
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

constexpr const char* kRoleNames[] = {"role", "from", "speaker"};
constexpr const char* kWordsNames[] = {"content", "value", "text"};

bool isEmptyText(const Json& value) {
    return value.is_string() && value.get_ref<const std::string&>().empty();
}

// The first name under which something stands, else the first under which an empty text does.
const char* nameOfFirst(const Json& message, std::span<const char* const> names) {
    const char* found = nullptr;
    for (const char* name : names) {
        const Json* value = field(message, name);
        if (value != nullptr && !isEmptyText(*value)) return name;
        if (value != nullptr && found == nullptr) found = name;
    }
    return found;
}

// Whether the message says something else by another name; whom we do not know may be somebody's own name.
bool contradicts(const Json& message, const TurnNames& names) {
    const auto isOtherRole = [&](const char* name) {
        const Json* other = name == names.role ? nullptr : field(message, name);
        const std::string role = other != nullptr && other->is_string() ? knownRole(*other) : std::string();
        return !role.empty() && role != knownRole(message[names.role]);
    };
    const auto areOtherWords = [&](const char* name) {
        const Json* other = name == names.words ? nullptr : field(message, name);
        return names.words != nullptr && other != nullptr && !isEmptyText(*other) && *other != message[names.words];
    };
    return std::ranges::any_of(kRoleNames, isOtherRole) || std::ranges::any_of(kWordsNames, areOtherWords);
}

void rename(Json& message, const char* from, const char* to) {
    if (from == nullptr || std::string_view(from) == to) return;
    Json value = std::move(message[from]);
    message.erase(from);
    message.erase(to); // empty, or null
    message[to] = std::move(value);
}

bool saysNothing(const Json& message) {
    const Json* content = field(message, "content");
    const Json* calls = field(message, "tool_calls");
    const bool silent = content == nullptr || content->get_ref<const std::string&>().empty();
    return silent && (calls == nullptr || calls->empty());
}

} // namespace

TurnNames turnNamesOf(const Json& message) {
    return {nameOfFirst(message, kRoleNames), nameOfFirst(message, kWordsNames)};
}

bool isKnownRole(const std::string& name) {
    return !knownRole(name).empty();
}

void MessageList::add(Json message) {
    const std::size_t number = size() + 1;
    if (!message.is_object()) throw badRow(RowRemark::kMessageNoObject, number);
    takeNames(message, number);
    takeCall(message, number);
    const bool isAssistant = message["role"] == "assistant";
    if (field(message, "function_call") != nullptr) throw badRow(RowRemark::kMessageFunctionCall, number);
    dropEmpty(message);
    const bool isTrained = isAssistant && isWanted(message, number);
    if (message.contains("content")) joinContentParts(message, number);
    if (field(message, "content") == nullptr && !isAssistant) throw badRow(RowRemark::kMessageWithoutContent, number);
    if (field(message, "tool_calls") != nullptr) addCalls(message, isTrained);
    if (isAssistant) {
        nameThought(message, number, isTrained);
        addAssistants(message, isTrained);
    }
    m_conversation.messages.push_back(std::move(message));
}

void MessageList::takeNames(Json& message, std::size_t number) {
    const TurnNames names = turnNamesOf(message);
    if (names.role == nullptr || !message[names.role].is_string()) throw badRow(RowRemark::kMessageWithoutRole, number);
    const bool isOpenAi = std::string_view(names.role) == kRoleNames[0];
    if (!isOpenAi && names.words == nullptr) throw badRow(RowRemark::kMessageWithout, number, kWordsNames[1]);
    if (contradicts(message, names)) m_conversation.contradicted.push_back(size());
    rename(message, names.role, "role");
    rename(message, names.words, "content");
    Json& role = message["role"];
    role = isOpenAi ? messageRole(role) : roleOf(role, number);
}

void MessageList::addCalls(Json& message, bool areTrained) {
    const std::size_t number = size() + 1;
    Json& calls = message["tool_calls"];
    checkCalls(calls, number);
    bringCallsIntoForm(calls, number, areTrained);
    if (areTrained) checkTrainedCalls(calls, number);
    if (m_arguments != Arguments::kAsGiven) fillArguments(calls, m_arguments == Arguments::kAsTexts);
    if (m_arguments == Arguments::kParsed && parseArguments(calls)) m_conversation.hasObjectArguments = true;
    if (m_arguments == Arguments::kAsTexts) writeArguments(calls);
}

void MessageList::addAssistants(const Json& message, bool isTrained) {
    m_conversation.assistants.push_back(size());
    m_conversation.wanted.push_back(isTrained);
    const Json* content = field(message, "content");
    if (!isTrained || content == nullptr) return;
    const auto open = openThoughtIn(content->get_ref<const std::string&>());
    if (open && open->isCertain) throw badRow(RowRemark::kMessageThoughtOpen, size() + 1, open->tag, open->closing);
    if (open) m_conversation.openThoughts.push_back(size());
}

void MessageList::addTurns(Json turns) {
    for (Json& turn : turns)
        add(std::move(turn));
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
    for (auto* indices : {&m_conversation.assistants, &m_conversation.contradicted, &m_conversation.openThoughts})
        for (std::size_t& index : *indices)
            ++index;
    if (m_conversation.completion) ++*m_conversation.completion;
}

Conversation MessageList::take() {
    for (std::size_t i = 0; i < m_conversation.assistants.size(); ++i) {
        const std::size_t index = m_conversation.assistants[i];
        if (!saysNothing(m_conversation.messages[index])) continue;
        if (m_conversation.wanted[i]) throw badRow(RowRemark::kAssistantSaysNothing, index + 1);
        m_conversation.messages[index]["content"] = ""; // templates print what is absent as "None"
    }
    return std::move(m_conversation);
}

} // namespace roundpipe::data
