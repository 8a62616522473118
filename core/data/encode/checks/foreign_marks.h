// SPDX-License-Identifier: GPL-3.0-or-later
// Marks that chat templates write around turns, spelled out in what people wrote: to a model that has no such tokens
// they are plain letters, which it learns to write.
#pragma once

#include "data/encode/checks/special_tokens.h"

#include <string_view>
#include <vector>

namespace roundpipe::data {

// Those that stand in a text of a message and are none of the model's own special tokens, each once, as the text has
// them; behind them what calls for an answer at its end, as "### Response:" does behind its question.
std::vector<std::string_view> foreignMarksIn(std::string_view text, const SpecialTokenFinder& finder);

// The mark with which a turn ends, where a text ends with one, blanks aside, and it is none of the model's own special
// tokens; else empty.
std::string_view foreignEndOf(std::string_view text, const SpecialTokenFinder& finder);

} // namespace roundpipe::data
