// SPDX-License-Identifier: GPL-3.0-or-later
// The loss mask: from spans of the rendered text to trained tokens.
#pragma once

#include "text/tokenizer.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace roundpipe::data {

using text::Span; // bytes of the rendered text
using text::TokenSpan;

// A token is trained if at least one of its bytes lies inside a span, so one that straddles a border is; a token
// without bytes is if it stands inside one. `spans` ascend and do not overlap, `tokens` ascend. One flag per token.
std::vector<uint8_t> trainedTokens(std::span<const TokenSpan> tokens, std::span<const Span> spans);

// Adds, for each span that ends where a special token starts, that token: the end of the turn. Returns how many spans
// are followed by none.
int64_t addEndsOfTurn(std::span<const TokenSpan> tokens, const std::vector<bool>& isSpecial,
                      std::span<const Span> spans, std::vector<uint8_t>& trained);

// How many tokens a model is taught to write: the first one has nothing before it and never counts.
int64_t numTrainedOf(std::span<const uint8_t> trained);

// How many spans do not end with a special token, blanks after it aside: for templates whose {% generation %} blocks
// decide what ends a turn.
int64_t numWithoutEnd(std::span<const TokenSpan> tokens, const std::vector<bool>& isSpecial, std::string_view text,
                      std::span<const Span> spans);

} // namespace roundpipe::data
