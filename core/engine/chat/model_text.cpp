// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chat/model_text.h"

#include "base/error.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

namespace roundpipe::engine {
namespace {

void requireUtf8(const std::string& what, std::string_view said) {
    if (const auto invalid = text::firstInvalidUtf8(said))
        throw invalidInput(what + " is no UTF-8 from byte " + std::to_string(*invalid + 1) + " on.",
                           "Write it in UTF-8.");
}

// As messages of errors call it; one question is all that most prompts are.
std::string nameOf(const session::ChatMessage& message) {
    if (message.role == "user") return "The prompt";
    return "The " + message.role + " message";
}

} // namespace

ModelText openModelText(const std::string& modelFolder, const std::string& templateFile) {
    return {text::Tokenizer::open(modelFolder), text::ChatTemplate::fromModelFolder(modelFolder, templateFile)};
}

std::vector<int32_t> encodeMessages(const ModelText& text, std::span<const session::ChatMessage> messages,
                                    const std::string& templateArguments, const text::CivilTime& now) {
    std::string plain;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const session::ChatMessage& message : messages) {
        requireUtf8("A message's role", message.role);
        requireUtf8(nameOf(message), message.content);
        plain += (plain.empty() ? "" : "\n\n") + message.content;
        list.push_back({{"role", message.role}, {"content", message.content}});
    }
    if (text.chatTemplate.source(false).empty()) // a base model goes on with what it is given
        return text.tokenizer.encode(plain, true).ids;
    text::TemplateInput conversation;
    const std::string json = list.dump();
    conversation.messages = json;
    conversation.arguments = templateArguments;
    text::RenderOptions options;
    options.addGenerationPrompt = true;
    options.now = now;
    return text.tokenizer.encode(text.chatTemplate.render(conversation, options).text, false).ids;
}

std::vector<int32_t> encodeChat(const ModelText& text, const std::string& system, const std::string& prompt,
                                const std::string& templateArguments, const text::CivilTime& now) {
    std::vector<session::ChatMessage> messages;
    if (!system.empty()) messages.push_back({"system", system});
    messages.push_back({"user", prompt});
    return encodeMessages(text, messages, templateArguments, now);
}

std::vector<int32_t> encodeRaw(const text::Tokenizer& tokenizer, const std::string& text) {
    requireUtf8("The prompt", text);
    return tokenizer.encode(text, true).ids;
}

void requireFits(std::span<const int32_t> ids, const arch::ModelConfig& config) {
    if (static_cast<int64_t>(ids.size()) > config.maxPositions)
        throw invalidInput("The prompt has " + std::to_string(ids.size()) + " tokens, but the model has " +
                               std::to_string(config.maxPositions) + " positions.",
                           "Use a shorter prompt.");
}

std::vector<int32_t> stopIdsOf(const arch::ModelConfig& config, const text::Tokenizer& tokenizer) {
    std::vector<int32_t> ids = config.eosIds;
    if (tokenizer.special().eos && tokenizer.special().eos->id) ids.push_back(*tokenizer.special().eos->id);
    return ids;
}

} // namespace roundpipe::engine
