// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the assistant's turns where a template allows no other words in the place of a tool call: where it refuses an
// answer without its call, or prints turns with calls in a form of their own. Internal to this folder (it includes
// nlohmann-json).
//
// The calls stay, with other arguments. A turn with calls begins behind what the template writes for the model to go on
// from (the generation prompt) and ends before the token that ends it.
#pragma once

#include "data/encode/spans/marking.h"

namespace roundpipe::data {

struct CallRenderer {
    // Of the first messages, and what the template writes behind them for the assistant to go on from.
    std::function<std::string(const Json& messages, bool addGenerationPrompt)> render;
    // Where the first token that ends a turn begins, if the text has one.
    std::function<std::optional<std::size_t>(std::string_view text)> findEnd;
};

// As assistantSpans(), and throws as it does.
std::vector<Span> assistantSpansWithCalls(const Conversation& conversation, const std::string& rendered,
                                          const CallRenderer& renderer);

} // namespace roundpipe::data
