// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the assistant's turns in a rendered conversation by sentinels, for templates without {% generation %} tags.
// Internal to this folder (it includes nlohmann-json).
//
// The conversation is rendered a second time with every assistant's turn replaced by unique markers. What stands around
// the markers must stand around the turns in the true text, byte for byte, and in one way only; what lies between is
// the turn. Prefix-diffing would be wrong for templates that rewrite earlier turns (Qwen3 removes their thoughts).
#pragma once

#include "data/encode/spans/marking.h"
#include "data/encode/spans/token_mask.h"

namespace roundpipe::data {

// One span per entry of `conversation.assistants`; `rendered` is what `render` gives for its messages. Throws
// RowProblem (kMask) naming the message where the template rewrites or repeats a turn or what surrounds it.
std::vector<Span> assistantSpans(const Conversation& conversation, const std::string& rendered,
                                 const RenderMessages& render);

} // namespace roundpipe::data
