// SPDX-License-Identifier: GPL-3.0-or-later
// How a model reads and writes: conversations as the tokens that it is given, and what ends its answers.
#pragma once

#include "arch/model_config.h"
#include "session/chat.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace roundpipe::engine {

struct ModelText {
    text::Tokenizer tokenizer;
    text::ChatTemplate chatTemplate;
};
// `templateFile` empty: the folder's own.
ModelText openModelText(const std::string& modelFolder, const std::string& templateFile);

// The ids of a conversation up to where the assistant begins. For a model without a chat template, what was said with a
// blank line between. Throws kInvalidInput for a text that is no UTF-8 and where the template refuses the messages.
std::vector<int32_t> encodeMessages(const ModelText& text, std::span<const session::ChatMessage> messages,
                                    const std::string& templateArguments, const text::CivilTime& now);
// The same of one user message. Empty system: no such message.
std::vector<int32_t> encodeChat(const ModelText& text, const std::string& system, const std::string& prompt,
                                const std::string& templateArguments, const text::CivilTime& now);
// A text by itself, with what the tokenizer puts around it. Throws kInvalidInput where it is no UTF-8.
std::vector<int32_t> encodeRaw(const text::Tokenizer& tokenizer, const std::string& text);

// Throws kInvalidInput where a prompt has more tokens than the model has positions.
void requireFits(std::span<const int32_t> ids, const arch::ModelConfig& config);
// Every id that ends an answer: those of the model's configs and the tokenizer's own.
std::vector<int32_t> stopIdsOf(const arch::ModelConfig& config, const text::Tokenizer& tokenizer);

} // namespace roundpipe::engine
