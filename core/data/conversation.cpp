#include "data/conversation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace roundpipe::data {
namespace {

RowProblem problem(std::string text) {
    return {DropReason::kBadRow, text};
}

const Json* field(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

// Absent and null are empty, as an empty CSV cell is.
std::string textOf(const Json& row, const char* key) {
    const Json* value = field(row, key);
    if (value == nullptr) return {};
    if (!value->is_string()) throw problem(fmt::format("has a field '{}' that is not a string", key));
    return value->get<std::string>();
}

Json message(const char* role, std::string content) {
    return {{"role", role}, {"content", std::move(content)}};
}

// Content in parts, as OpenAI allows it, becomes one string: most templates know strings only.
Json flattened(const Json& content, std::size_t index) {
    if (content.is_string() || content.is_null()) return content;
    if (!content.is_array())
        throw problem(fmt::format("has a message {} whose content is neither a string nor a list of parts", index + 1));
    std::string text;
    for (const Json& part : content) {
        const Json* piece = part.is_object() && part.value("type", Json()) == "text" ? field(part, "text") : nullptr;
        if (piece == nullptr && part.is_object() && part.value("type", Json()) == "text") piece = field(part, "value");
        if (piece == nullptr || !piece->is_string())
            throw problem(fmt::format("has a message {} with a part that is not text", index + 1));
        text += piece->get<std::string>();
    }
    return text;
}

void checkCalls(const Json& calls, std::size_t index) {
    if (!calls.is_array()) throw problem(fmt::format("has a message {} whose tool_calls are not a list", index + 1));
    for (const Json& call : calls)
        if (!call.is_object())
            throw problem(fmt::format("has a message {} with a tool call that is not an object", index + 1));
}

// OpenAI carries arguments as JSON in a string; templates that print them by `tojson` would quote them a second time.
bool parseArguments(Json& calls) {
    bool found = false;
    for (Json& call : calls) {
        Json& function = call.contains("function") && call["function"].is_object() ? call["function"] : call;
        if (!function.contains("arguments") || !function["arguments"].is_string()) continue;
        Json parsed = Json::parse(function["arguments"].get<std::string>(), nullptr, false);
        if (!parsed.is_object()) continue;
        function["arguments"] = std::move(parsed);
        found = true;
    }
    return found;
}

// Axolotl's `train`, OpenAI's `weight` and LLaMA-Factory's `loss_weight` of one message.
bool isWanted(const Json& item, std::size_t index) {
    if (const Json* train = field(item, "train")) {
        if (!train->is_boolean())
            throw problem(fmt::format("has a message {} whose 'train' is neither true nor false", index + 1));
        return train->get<bool>();
    }
    for (const char* key : {"weight", "loss_weight"})
        if (const Json* weight = field(item, key)) {
            if (*weight != 0 && *weight != 1)
                throw problem(fmt::format("has a message {} whose '{}' is neither 0 nor 1", index + 1, key));
            return *weight == 1;
        }
    return true;
}

void addMessage(Conversation& conversation, const Json& item, Arguments arguments = Arguments::kParsed) {
    const std::size_t index = conversation.messages.size();
    if (!item.is_object()) throw problem(fmt::format("has a message {} that is not an object", index + 1));
    const Json* role = field(item, "role");
    if (role == nullptr || !role->is_string()) throw problem(fmt::format("has a message {} without a role", index + 1));
    if (field(item, "function_call") != nullptr)
        throw problem(fmt::format("has a message {} with the outdated 'function_call'; use 'tool_calls'", index + 1));
    Json normalised = item;
    if (item.contains("content")) normalised["content"] = flattened(item["content"], index);
    if (field(item, "content") == nullptr && *role != "assistant")
        throw problem(fmt::format("has a message {} without content", index + 1));
    if (field(item, "tool_calls") != nullptr) {
        checkCalls(item["tool_calls"], index);
        if (arguments == Arguments::kParsed && parseArguments(normalised["tool_calls"]))
            conversation.hasParsedArguments = true;
    }
    if (*role == "assistant") {
        conversation.assistants.push_back(index);
        conversation.wanted.push_back(isWanted(item, index));
    }
    conversation.messages.push_back(std::move(normalised));
}

Conversation fromMessages(const Json& row, Arguments arguments) {
    const Json* messages = field(row, "messages");
    if (messages == nullptr || !messages->is_array() || messages->empty()) throw problem("has no list 'messages'");
    Conversation conversation{Json::array(), nullptr, {}, {}, false};
    for (const Json& item : *messages)
        addMessage(conversation, item, arguments);
    if (const Json* tools = field(row, "tools")) {
        conversation.tools = tools->is_string() ? Json::parse(tools->get<std::string>(), nullptr, false) : *tools;
        if (!conversation.tools.is_array()) throw problem("has 'tools' that are not a list");
        if (conversation.tools.empty()) conversation.tools = nullptr;
    }
    return conversation;
}

Conversation fromAlpaca(const Json& row) {
    if (field(row, "instruction") == nullptr) throw problem("has no field 'instruction'");
    if (field(row, "output") == nullptr) throw problem("has no field 'output'");
    Conversation conversation{Json::array(), nullptr, {}, {}, false};
    const std::string system = textOf(row, "system");
    if (!system.empty()) addMessage(conversation, message("system", system));
    if (const Json* history = field(row, "history"); history != nullptr && *history != "") {
        if (!history->is_array()) throw problem("has a 'history' that is not a list");
        for (const Json& turn : *history) {
            if (!turn.is_array() || turn.size() != 2 || !turn[0].is_string() || !turn[1].is_string())
                throw problem("has a 'history' whose items are not pairs of strings");
            addMessage(conversation, message("user", turn[0]));
            addMessage(conversation, message("assistant", turn[1]));
        }
    }
    const std::string input = textOf(row, "input");
    addMessage(conversation, message("user", textOf(row, "instruction") + (input.empty() ? "" : "\n" + input)));
    addMessage(conversation, message("assistant", textOf(row, "output")));
    return conversation;
}

bool saysNothing(const Json& item) {
    const Json* content = field(item, "content");
    const Json* calls = field(item, "tool_calls");
    const bool silent = content == nullptr || content->get_ref<const std::string&>().empty();
    return silent && (calls == nullptr || calls->empty());
}

} // namespace

Json parseRow(const std::string& json) {
    Json row;
    try {
        row = Json::parse(json);
    } catch (const Json::exception& error) {
        throw problem(fmt::format("is not valid JSON: {}", error.what()));
    }
    if (!row.is_object()) throw problem("is not a JSON object");
    return row;
}

Conversation conversationOf(const Json& row, Format format, Arguments arguments) {
    Conversation conversation = format == Format::kAlpaca ? fromAlpaca(row) : fromMessages(row, arguments);
    for (const std::size_t index : conversation.assistants)
        if (saysNothing(conversation.messages[index]))
            throw problem(fmt::format("has an assistant's turn (message {}) that says nothing", index + 1));
    return conversation;
}

Format sniffFormat(const Json& row, std::string& advice) {
    if (field(row, "messages") != nullptr) return Format::kMessages;
    if (field(row, "instruction") != nullptr && row.contains("output")) return Format::kAlpaca;
    std::vector<std::string> keys;
    for (const auto& [key, value] : row.items())
        keys.push_back(key);
    advice = fmt::format("It has {}; wanted is 'messages' (OpenAI), or 'instruction' and 'output' (Alpaca).",
                         fmt::join(keys, ", "));
    return Format::kAuto;
}

} // namespace roundpipe::data
