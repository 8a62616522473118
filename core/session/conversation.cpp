// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/conversation.h"

#include "base/error.h"
#include "base/json_problem.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <utility>

namespace roundpipe::session {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kDeepest = 100; // brackets within brackets: parts of it are copied, bracket by bracket
namespace fs = std::filesystem;

Json jsonOf(const std::vector<ChatMessage>& messages) {
    Json list = Json::array();
    for (const ChatMessage& message : messages)
        list.push_back({{"role", message.role}, {"content", message.content}});
    return list;
}

std::vector<ChatMessage> messagesIn(const Json& list) {
    std::vector<ChatMessage> messages;
    for (const Json& message : list)
        messages.push_back({message.at("role").get<std::string>(), message.at("content").get<std::string>()});
    return messages;
}

void readSettings(const Json& said, ChatConversation& conversation) {
    conversation.model = said.value("model", conversation.model);
    conversation.system = said.value("system", "");
    if (said.contains("adapters")) {
        conversation.strength = 1; // which is in the weights
        conversation.adapters.clear();
        for (const Json& adapter : said["adapters"])
            conversation.adapters.push_back(
                {adapter.at("name").get<std::string>(), adapter.at("weight").get<double>()});
    }
    const Json sampling = said.value("sampling", Json::object());
    for (const SamplingField& field : samplingFields())
        if (sampling.contains(field.key))
            setSampling(conversation.sampling, field, sampling[field.key].get<double>(), field.key);
    if (sampling.contains("stop")) conversation.sampling.stops = sampling["stop"].get<std::vector<std::string>>();
    checkStops(conversation.sampling.stops);
}

} // namespace

ChatQuestion questionOf(const ChatConversation& conversation, const std::vector<ChatMessage>& messages, bool ofBase) {
    ChatQuestion question;
    if (!conversation.system.empty()) question.messages.push_back({"system", conversation.system});
    question.messages.insert(question.messages.end(), messages.begin(), messages.end());
    question.adapters = conversation.adapters;
    for (AdapterWeight& adapter : question.adapters)
        adapter.weight *= ofBase ? 0 : conversation.strength;
    question.sampling = conversation.sampling;
    return question;
}

std::vector<ChatMessage> exchangeOf(const ChatConversation& conversation, const std::vector<ChatMessage>& messages,
                                    std::size_t answer) {
    if (answer == 0 || answer >= messages.size() || messages[answer].role != "assistant") return {};
    std::vector<ChatMessage> exchange;
    if (!conversation.system.empty()) exchange.push_back({"system", conversation.system});
    exchange.push_back(messages[answer - 1]);
    exchange.push_back(messages[answer]);
    return exchange;
}

std::string conversationJson(const ChatConversation& conversation) {
    Json json;
    json["model"] = conversation.model;
    json["adapters"] = Json::array();
    for (const AdapterWeight& adapter : conversation.adapters)
        json["adapters"].push_back({{"name", adapter.name}, {"weight", adapter.weight * conversation.strength}});
    for (const SamplingField& field : samplingFields())
        json["sampling"][field.key] = samplingValue(conversation.sampling, field);
    json["sampling"]["stop"] = conversation.sampling.stops;
    json["system"] = conversation.system;
    json["messages"] = jsonOf(conversation.messages);
    if (conversation.baseMessages) json["base_messages"] = jsonOf(*conversation.baseMessages);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool isConversation(const std::string& text) {
    if (isNestedDeeper(text, kDeepest)) return false;
    const Json said = Json::parse(text, nullptr, false);
    return said.is_object() && said.contains("model") && said.contains("messages") && said["messages"].is_array();
}

ChatConversation conversationIn(const std::string& json, const ChatConversation& otherwise) {
    if (isNestedDeeper(json, kDeepest))
        throw invalidInput("It holds no conversation: it is nested more than " + std::to_string(kDeepest) + " deep.",
                           "Choose a file that /save wrote.");
    try {
        const Json said = Json::parse(json);
        ChatConversation conversation = otherwise;
        readSettings(said, conversation);
        conversation.messages = messagesIn(said.at("messages"));
        if (!conversation.messages.empty() && conversation.messages.front().role == "system") { // as in a row
            conversation.system = conversation.messages.front().content;
            conversation.messages.erase(conversation.messages.begin());
        }
        conversation.baseMessages.reset();
        if (said.contains("base_messages")) conversation.baseMessages = messagesIn(said["base_messages"]);
        return conversation;
    } catch (const Json::exception& error) {
        throw invalidInput("It holds no conversation: " + wordsForJsonError(error.id, error.what(), json) + ".",
                           "Choose a file that /save wrote.");
    }
}

std::string nameOfFolder(const std::string& folder) {
    std::error_code none;
    fs::path path = fs::weakly_canonical(folder, none);
    if (path.empty()) path = folder;
    if (path.filename() == "adapter") return path.parent_path().filename().string();
    if (path.parent_path().filename() == "checkpoints")
        return path.parent_path().parent_path().filename().string() + "-" + path.filename().string();
    return path.filename().string();
}

} // namespace roundpipe::session
