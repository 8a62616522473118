// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with a model, and beside it, where it is wanted, the same one with the base model: what was said, by
// whom, and how tokens are chosen. The command line and the window keep it in the same files.
#pragma once

#include "session/chat.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roundpipe::session {

struct ChatConversation {
    std::string model = {};                   // as it was named
    std::string system = {};                  // empty: no such message
    std::vector<AdapterWeight> adapters = {}; // that answer; none: the base model
    double strength = 1;                      // a factor on all of their weights
    SamplingOptions sampling = {};
    std::vector<ChatMessage> messages = {}; // without the system's
    std::optional<std::vector<ChatMessage>> baseMessages =
        {}; // what the base model said to the same; nothing: not asked
};

// What follows `messages`, of this conversation or of its twin with the base model. Base and tuned are the same
// adapters at weights of 0 and of their own, so template and prompt are the same and nothing is loaded twice.
ChatQuestion questionOf(const ChatConversation& conversation, const std::vector<ChatMessage>& messages, bool ofBase);

// System's message, and the question and answer that end at `messages[answer]`, as a row to train on. Empty where no
// answer to a question stands there.
std::vector<ChatMessage> exchangeOf(const ChatConversation& conversation, const std::vector<ChatMessage>& messages,
                                    std::size_t answer);

inline constexpr int64_t kMostOfConversation = int64_t{64} << 20; // bytes of its file
// As `roundpipe chat` saves it; the strength is in the weights.
std::string conversationJson(const ChatConversation& conversation);
bool isConversation(const std::string& text); // of conversationJson()
// Of conversationJson(); what a file does not say is as in `otherwise`. Throws kInvalidInput.
ChatConversation conversationIn(const std::string& json, const ChatConversation& otherwise = {});

} // namespace roundpipe::session
